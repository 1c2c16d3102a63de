// The labeling page: keeps drafts, pins evidence, and works by keyboard.
(() => {
  "use strict";
  const $ = (id) => document.getElementById(id);
  const desk = document.querySelector(".desk");
  if (!desk) return;

  const frame = $("site");
  const key = desk.dataset.key;
  const csrf = desk.dataset.csrf;
  const size = { width: Number(desk.dataset.width), height: Number(desk.dataset.height) };
  let dirty = false;
  let timer = 0;
  let pinned = null;
  let waiting = null;

  const room = (glass) => Math.max(420, window.innerHeight - glass.getBoundingClientRect().top - 96);
  const visit = page.website(frame, document.querySelector("[data-images]"), size, room);

  async function post(path, fields) {
    const body = fields instanceof FormData ? new URLSearchParams(fields) : new URLSearchParams(fields);
    body.set("csrf", csrf);
    return fetch(path, { method: "POST", body, credentials: "same-origin", redirect: "manual" });
  }

  // Drafts: sent a moment after the last key, kept in this browser while there is no line.
  const form = () => $("judgment");
  const store = `riskchain-draft:${desk.dataset.person}:${key}`;
  let version = desk.dataset.version;
  function say(word, bad = false) {
    const line = $("saved");
    if (!line) return;
    line.textContent = line.dataset[word] || "";
    line.classList.toggle("bad", bad);
  }
  function keep() {
    localStorage.setItem(store, JSON.stringify(page.typed(form())));
  }
  async function save() {
    clearTimeout(timer);
    if (!form() || !dirty) return;
    dirty = false;
    const fields = new FormData(form());
    fields.set("version", version);
    try {
      const answer = await post(form().dataset.draft, fields);
      if (answer.status === 409) { say("elsewhere", true); return; }
      if (answer.status === 403) { dirty = true; keep(); say("stale", true); return; }
      if (!answer.ok) throw new Error(String(answer.status));
      const told = await answer.json();
      version = String(told.version);
      localStorage.removeItem(store);
      say(told.yours ? "saved" : "withdrawn", !told.yours);
    } catch {
      dirty = true;
      keep();
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
    page.refill(form(), JSON.parse(kept));
    dirty = true;
    save();
  }
  restore();
  page.follow(form());
  // After a refused submission the problems are in focus, after a removed pin the way to a new one.
  document.addEventListener("htmx:afterSwap", (event) => {
    const submitted = event.detail.requestConfig.elt.id === "judgment";
    if (submitted && $("problems")) { $("problems").focus(); dirty = true; save(); }
    if (!submitted) form().querySelector('[data-do="pin"]').focus();
    page.follow(form());
  });
  // What is submitted stays in this browser until the workbench says that it has it.
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (event.target.id === "judgment") { clearTimeout(timer); keep(); flush(); }
  });
  document.addEventListener("htmx:afterRequest", (event) => {
    if (event.target.id === "judgment" && page.taken(event)) { dirty = false; localStorage.removeItem(store); }
  });
  document.addEventListener("htmx:sendError", () => { dirty = true; save(); });
  // What the visit does within a page, sent on in small bundles.
  const events = [];
  let sending = 0;
  function heard(event) {
    if (events.length >= 100 || !["scroll", "input"].includes(event.kind)) return;
    events.push({ kind: event.kind, path: String(event.path), top: event.top, field: event.field });
    clearTimeout(sending);
    sending = setTimeout(flush, 1500);
  }
  async function flush() {
    clearTimeout(sending);
    const told = events.splice(0);
    if (!told.length) return;
    try {
      const answer = await post(`/desk/${key}/events`, { events: JSON.stringify(told) });
      if (answer.status >= 500) throw new Error(String(answer.status));
    } catch {
      events.unshift(...told);
      sending = setTimeout(flush, 4000);
    }
  }

  // The website in its frame.
  addEventListener("message", (event) => {
    if (event.source !== frame.contentWindow || typeof event.data !== "object" || !event.data) return;
    if (event.data.told === "event") heard(event.data);
    if (event.data.told === "key" && !dialog.open) led(String(event.data.code));
    if (event.data.told === "state" && waiting) { const done = waiting; waiting = null; done(event.data); }
  });
  async function reset() {
    await flush();
    try {
      const answer = await post(`/desk/${key}/reset`, {});
      if (answer.ok) frame.src = (await answer.json()).frame;
    } catch { say("offline", true); }
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
  // By keyboard: Enter sets a frame, arrows move it, Shift and arrows size it, Delete takes it off.
  const STEP = 16;
  board.addEventListener("keydown", (event) => {
    const ways = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, -STEP], ArrowDown: [0, STEP] };
    const way = ways[event.key];
    const sets = event.key === "Enter" || event.key === " ";
    if (!pinned || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Delete" || event.key === "Backspace") mark = null;
    else if (way || sets) {
      mark = mark || { x: (pinned.width - 320) / 2, y: (pinned.height - 160) / 2, w: 320, h: 160 };
      const most = (value, low, high) => Math.max(low, Math.min(high, value));
      if (way && event.shiftKey) {
        mark.w = most(mark.w + way[0], STEP, pinned.width - mark.x);
        mark.h = most(mark.h + way[1], STEP, pinned.height - mark.y);
      } else if (way) {
        mark.x = most(mark.x + way[0], 0, pinned.width - mark.w);
        mark.y = most(mark.y + way[1], 0, pinned.height - mark.h);
      }
    } else return;
    event.preventDefault();
    draw();
    const told = $("pin-told");
    told.textContent = mark
      ? told.dataset.frame.replace("{x}", Math.round(mark.x)).replace("{y}", Math.round(mark.y))
        .replace("{w}", Math.round(mark.w)).replace("{h}", Math.round(mark.h))
      : told.dataset.none;
  });
  async function pin() {
    if (dialog.open) return;
    mark = null; pinned = null; draw();
    $("pin-told").textContent = ""; $("pin-lost").hidden = true;
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
      visit.ask({ ask: "state" });
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
    board.style.maxWidth = `${pinned.width}px`;
    $("pin-picture").src = `/desk/${key}/pictures/${pinned.picture}`;
    board.hidden = false;
  }
  $("pin-keep").addEventListener("click", async () => {
    if (!$("pin-what").reportValidity() || !pinned) return;
    const fields = { what: $("pin-what").value, words: $("pin-words").value, path: pinned.path, screenshot: pinned.picture || "" };
    if (mark) Object.assign(fields, mark);
    let answer;
    try { answer = await post(`/desk/${key}/pins`, fields); } catch { /* said below */ }
    $("pin-lost").hidden = !!(answer && answer.ok);
    if (!answer || !answer.ok) return;
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
    pin, reset,
    leave: () => { if ($("leaving")) $("leaving").showModal(); },
    stay: () => $("leaving").close(),
  };
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-do]");
    if (button) actions[button.dataset.do]();
  });
  // What a website may ask for as well: it does nothing to the judgment.
  function led(code) {
    const ways = { KeyE: pin, KeyI: visit.images, KeyC: () => open(tabs[1]), KeyJ: () => open(tabs[0]) };
    if (!Object.hasOwn(ways, code)) return false;
    ways[code]();
    return true;
  }
  function chosen(code) {
    if (code === "KeyR") reset();
    else if (code === "Enter" || code === "NumpadEnter") form().requestSubmit();
    else if (/^Digit[1-3]$/.test(code)) {
      const choice = form().querySelectorAll('input[name="decision"]')[Number(code.slice(5)) - 1];
      choice.checked = true;
      choice.focus();
      choice.dispatchEvent(new Event("change", { bubbles: true }));
    } else return false;
    return true;
  }
  document.addEventListener("keydown", (event) => {
    if (!event.altKey || event.ctrlKey || event.metaKey || dialog.open) return;
    if (led(event.code) || chosen(event.code)) event.preventDefault();
  });
})();
