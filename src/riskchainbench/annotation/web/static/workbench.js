// The labeling page: scales the frame, keeps drafts, pins evidence, and works by keyboard.
// Whatever a framed website sends is data: only its own window is heard, and only as text.
(() => {
  "use strict";
  const $ = (id) => document.getElementById(id);
  const desk = document.querySelector(".desk");

  // Shared with the coordinator's form: the type is asked for a violation only.
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
  if (!desk) return;

  const frame = $("site");
  const key = desk.dataset.key;
  const csrf = desk.dataset.csrf;
  const size = { width: Number(desk.dataset.width), height: Number(desk.dataset.height) };
  let shown = false;
  let dirty = false;
  let timer = 0;
  let pinned = null;
  let waiting = null;

  function scale() {
    const glass = frame.parentElement;
    const factor = Math.min(1, glass.clientWidth / size.width);
    frame.style.width = `${size.width}px`;
    const room = Math.max(420, window.innerHeight - glass.getBoundingClientRect().top - 96);
    const tall = Math.max(size.height * factor, Math.min(room, size.height * factor * 1.4));
    frame.style.height = `${tall / factor}px`;
    frame.style.transform = `scale(${factor})`;
    glass.style.height = `${tall}px`;
  }
  addEventListener("resize", scale);
  scale();

  async function post(path, fields) {
    const body = fields instanceof FormData ? new URLSearchParams(fields) : new URLSearchParams(fields);
    body.set("csrf", csrf);
    return fetch(path, { method: "POST", body, credentials: "same-origin", redirect: "manual" });
  }

  // Drafts: sent a moment after the last key, kept in this browser while there is no line.
  const form = () => $("judgment");
  const store = `riskchain-draft:${key}`;
  function say(word, bad = false) {
    const line = $("saved");
    if (!line) return;
    line.textContent = line.dataset[word] || "";
    line.classList.toggle("bad", bad);
  }
  async function save() {
    clearTimeout(timer);
    if (!form() || !dirty) return;
    dirty = false;
    const fields = new FormData(form());
    try {
      const answer = await post(form().dataset.draft, fields);
      if (!answer.ok) throw new Error(String(answer.status));
      localStorage.removeItem(store);
      say("saved");
    } catch {
      dirty = true;
      localStorage.setItem(store, JSON.stringify([...fields].filter(([name]) => name !== "csrf")));
      say("offline", true);
      timer = setTimeout(save, 4000);
    }
  }
  function touched(event) {
    if (!event.target.closest("#judgment")) return;
    dirty = true;
    say("saving");
    clearTimeout(timer);
    timer = setTimeout(save, 700);
  }
  document.addEventListener("input", touched);
  document.addEventListener("change", touched);
  function restore() {
    const kept = localStorage.getItem(store);
    if (!kept) return;
    const values = JSON.parse(kept);
    for (const field of form().elements) {
      if (!field.name || field.type === "hidden") continue;
      const mine = values.filter(([name]) => name === field.name).map(([, value]) => value);
      if (field.type === "radio" || field.type === "checkbox") field.checked = mine.includes(field.value);
      else if (mine.length) field.value = mine[0];
    }
    dirty = true;
    save();
  }
  restore();
  follow(form());
  document.addEventListener("htmx:afterSwap", (event) => {
    if ($("problems")) $("problems").focus();
    if (form()) follow(form());
  });
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (event.target.id === "judgment") { clearTimeout(timer); localStorage.removeItem(store); }
  });
  document.addEventListener("htmx:sendError", () => { dirty = true; save(); });
  document.addEventListener("htmx:responseError", async (event) => {
    const page = new DOMParser().parseFromString(event.detail.xhr.responseText, "text/html");
    const words = page.querySelector("h1");
    const note = document.createElement("p");
    note.className = "wrong";
    note.setAttribute("role", "alert");
    note.textContent = words ? words.textContent : String(event.detail.xhr.status);
    form().prepend(note);
  });

  // The website in its frame.
  function ask(what) { frame.contentWindow.postMessage(what, "*"); }
  addEventListener("message", (event) => {
    if (event.source !== frame.contentWindow || typeof event.data !== "object" || !event.data) return;
    if (event.data.told === "ready") ask({ ask: "images", shown });
    if (event.data.told === "state" && waiting) { const done = waiting; waiting = null; done(event.data); }
  });
  function images() {
    shown = !shown;
    ask({ ask: "images", shown });
    const button = document.querySelector('[data-do="images"]');
    button.setAttribute("aria-pressed", String(shown));
    button.textContent = shown ? button.dataset.hide : button.dataset.show;
  }
  async function reset() {
    const answer = await post(`/desk/${key}/reset`, {});
    if (answer.ok) frame.src = (await answer.json()).frame;
  }

  // Pinning: the frame hands over its state, the server draws it, the person marks it.
  const dialog = $("pinning");
  const board = $("pin-board");
  const box = $("pin-box");
  let mark = null;
  function draw() {
    box.hidden = !mark;
    if (!mark) return;
    const factor = board.clientWidth / pinned.width;
    box.style.left = `${mark.x * factor}px`;
    box.style.top = `${mark.y * factor}px`;
    box.style.width = `${mark.w * factor}px`;
    box.style.height = `${mark.h * factor}px`;
  }
  function place(event) {
    const frameBox = board.getBoundingClientRect();
    const factor = pinned.width / frameBox.width;
    const inside = (value, most) => Math.max(0, Math.min(most, value));
    return {
      x: inside((event.clientX - frameBox.left) * factor, pinned.width),
      y: inside((event.clientY - frameBox.top) * factor, pinned.height),
    };
  }
  let from = null;
  board.addEventListener("pointerdown", (event) => { from = place(event); board.setPointerCapture(event.pointerId); });
  board.addEventListener("pointermove", (event) => {
    if (!from) return;
    const to = place(event);
    mark = { x: Math.min(from.x, to.x), y: Math.min(from.y, to.y), w: Math.abs(from.x - to.x), h: Math.abs(from.y - to.y) };
    draw();
  });
  board.addEventListener("pointerup", (event) => {
    if (from && (!mark || mark.w < 6 || mark.h < 6)) {
      const at = place(event);
      mark = { x: Math.max(0, at.x - 40), y: Math.max(0, at.y - 20), w: 80, h: 40 };
    }
    from = null;
    draw();
  });
  async function pin() {
    if (dialog.open) return;
    mark = null; pinned = null; draw();
    board.hidden = true; $("pin-none").hidden = true; $("pin-wait").hidden = false; $("pin-what").value = "";
    const type = form() && form().elements.violation_type ? form().elements.violation_type.value : "";
    for (const option of $("pin-what").querySelectorAll("option[data-types]")) {
      const own = option.dataset.types;
      option.hidden = !!(type && own && !own.split(" ").includes(type));
    }
    dialog.showModal();
    $("pin-what").focus();
    const state = await new Promise((resolve) => {
      waiting = resolve;
      ask({ ask: "state" });
      setTimeout(() => { if (waiting === resolve) { waiting = null; resolve(null); } }, 3000);
    });
    $("pin-words").value = state ? String(state.words || "") : "";
    pinned = { picture: "", path: "/", width: size.width, height: size.height };
    if (state) {
      try {
        const answer = await post(`/desk/${key}/picture`, { html: String(state.html), path: String(state.path), top: String(state.top) });
        if (answer.ok) pinned = await answer.json();
      } catch { /* said below: there is no picture */ }
    }
    $("pin-wait").hidden = true;
    if (!pinned.picture) { $("pin-none").hidden = false; return; }
    $("pin-picture").src = `/desk/${key}/pictures/${pinned.picture}`;
    board.hidden = false;
  }
  $("pin-keep").addEventListener("click", async () => {
    if (!$("pin-what").reportValidity() || !pinned) return;
    const fields = { what: $("pin-what").value, words: $("pin-words").value, path: pinned.path, screenshot: pinned.picture || "" };
    if (mark) Object.assign(fields, mark);
    const answer = await post(`/desk/${key}/pins`, fields);
    if (!answer.ok) { $("pin-none").hidden = false; return; }
    $("pins").outerHTML = await answer.text();
    htmx.process($("pins"));
    dialog.close();
  });

  // Tabs and keys.
  const tabs = [...document.querySelectorAll('[role="tab"]')];
  function open(tab) {
    for (const each of tabs) {
      const on = each === tab;
      each.setAttribute("aria-selected", String(on));
      each.tabIndex = on ? 0 : -1;
      $(each.getAttribute("aria-controls")).hidden = !on;
    }
    tab.focus();
  }
  tabs.forEach((tab, index) => {
    tab.addEventListener("click", () => open(tab));
    tab.addEventListener("keydown", (event) => {
      if (event.key === "ArrowRight" || event.key === "ArrowLeft") open(tabs[(index + 1) % tabs.length]);
    });
  });
  const actions = {
    pin, images, reset,
    leave: () => { if ($("leaving")) $("leaving").showModal(); },
    stay: () => $("leaving").close(),
  };
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-do]");
    if (button) actions[button.dataset.do]();
  });
  document.addEventListener("keydown", (event) => {
    if (!event.altKey || event.ctrlKey || event.metaKey || dialog.open) return;
    const letter = event.code.replace("Key", "").toLowerCase();
    if (letter === "e") pin();
    else if (letter === "i") images();
    else if (letter === "r") reset();
    else if (letter === "c") open(tabs[1]);
    else if (letter === "j") open(tabs[0]);
    else if (event.code === "Enter" || event.code === "NumpadEnter") form().requestSubmit();
    else if (/^Digit[1-3]$/.test(event.code)) {
      const choice = form().querySelectorAll('input[name="decision"]')[Number(event.code.slice(5)) - 1];
      choice.checked = true;
      choice.focus();
      choice.dispatchEvent(new Event("change", { bubbles: true }));
    } else return;
    event.preventDefault();
  });
})();
