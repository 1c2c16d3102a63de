// What several pages share: the type is asked for a violation only, forms lose nothing that was
// typed into them, and a website stands in its frame, its images blurred until asked for.
// Whatever a framed website sends is data: only its own window is heard, and only as text.
const page = (() => {
  "use strict";

  function follow(root) {
    const chosen = root.querySelector('input[name="decision"]:checked');
    root.querySelectorAll("[data-when]").forEach((part) => {
      part.hidden = !chosen || chosen.value !== part.dataset.when;
    });
    const type = root.querySelector('select[name="violation_type"]');
    if (!type) return;
    root.querySelectorAll("[data-type]").forEach((hint) => { hint.hidden = hint.dataset.type !== type.value; });
    root.querySelectorAll("[data-secondary]").forEach((label) => {
      label.hidden = label.dataset.secondary === type.value;
      if (label.hidden) label.querySelector("input").checked = false;
    });
    const help = root.querySelector("[data-catch-all]");
    if (help) help.hidden = !help.dataset.catchAll.split(" ").includes(type.value) || !type.value;
  }
  document.addEventListener("change", (event) => {
    const form = event.target.closest("form");
    if (form) follow(form);
  });

  // What a form holds, but for what the page itself put there.
  function typed(form) {
    return [...new FormData(form)].filter(([name]) => !form.querySelector(`input[type="hidden"][name="${name}"]`));
  }
  function refill(form, values) {
    for (const field of form.elements) {
      if (!field.name || field.type === "hidden") continue;
      const mine = values.filter(([name]) => name === field.name).map(([, value]) => value);
      if (field.type === "radio" || field.type === "checkbox") field.checked = mine.includes(field.value);
      else if (mine.length) field.value = mine[0];
    }
    follow(form);
  }

  // htmx leads on where the answer says so, and never calls that a success.
  function taken(event) { return event.detail.xhr.status === 204; }

  // A form that names a place to keep it is kept in this browser until the workbench has it.
  const place = (form) => `riskchain-form:${form.dataset.keep}`;
  document.addEventListener("input", (event) => {
    const form = event.target.closest("form[data-keep]");
    if (form) localStorage.setItem(place(form), JSON.stringify(typed(form)));
  });
  document.querySelectorAll("form[data-keep]").forEach((form) => {
    const kept = localStorage.getItem(place(form));
    if (kept) refill(form, JSON.parse(kept));
  });
  document.addEventListener("htmx:afterRequest", (event) => {
    const form = event.target.closest("form[data-keep]");
    if (form && taken(event)) localStorage.removeItem(place(form));
  });

  function say(form, words) {
    const note = document.createElement("p");
    note.className = "wrong";
    note.setAttribute("role", "alert");
    note.textContent = words;
    form.querySelectorAll(":scope > p.wrong").forEach((old) => old.remove());
    form.prepend(note);
    note.scrollIntoView({ block: "center" });
  }
  document.addEventListener("htmx:sendError", (event) => {
    const form = event.target.closest("form");
    if (form && form.dataset.unsent) say(form, form.dataset.unsent);
  });
  document.addEventListener("htmx:responseError", (event) => {
    const form = event.target.closest("form");
    if (!form) return;
    const told = new DOMParser().parseFromString(event.detail.xhr.responseText, "text/html");
    const words = told.querySelector('main [role="alert"]') || told.querySelector("h1");
    say(form, words ? words.textContent : String(event.detail.xhr.status));
  });

  // A website narrower than this share of its own width cannot be read; it is scrolled instead.
  const LEAST = 0.45;
  function website(frame, button, size, tallest) {
    let shown = false;
    const said = frame.parentElement.parentElement.querySelector("[data-dialog]");
    function ask(what) { frame.contentWindow.postMessage(what, "*"); }
    function scale() {
      const glass = frame.parentElement;
      if (!glass.clientWidth) return;
      const factor = Math.max(LEAST, Math.min(1, glass.clientWidth / size.width));
      frame.style.width = `${size.width}px`;
      const tall = Math.max(size.height * factor, Math.min(tallest(glass), size.height * factor * 1.4));
      frame.style.height = `${tall / factor}px`;
      frame.style.transform = `scale(${factor})`;
      glass.style.height = `${tall + glass.offsetHeight - glass.clientHeight}px`;
    }
    function images() {
      shown = !shown;
      ask({ ask: "images", shown });
      button.setAttribute("aria-pressed", String(shown));
      button.textContent = shown ? button.dataset.hide : button.dataset.show;
    }
    button.addEventListener("click", images);
    addEventListener("message", (event) => {
      if (event.source !== frame.contentWindow || typeof event.data !== "object" || !event.data) return;
      if (event.data.told === "ready") ask({ ask: "images", shown });
      if (event.data.told === "dialog") {
        said.hidden = false;
        said.textContent = said.dataset.dialog + String(event.data.words).slice(0, 300);
      }
    });
    addEventListener("resize", scale);
    scale();
    return { ask, images, scale };
  }
  document.querySelectorAll("details[data-website]").forEach((part) => {
    const size = { width: Number(part.dataset.width), height: Number(part.dataset.height) };
    const shown = website(part.querySelector("iframe"), part.querySelector("[data-images]"), size, () => 0);
    part.addEventListener("toggle", shown.scale);
  });

  return { follow, typed, refill, taken, website };
})();
