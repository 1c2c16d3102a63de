// The case browser: filters, the list, and one or two panes beside each other.
(function () {
  "use strict";
  const { el, text, label, get, load, say, chip } = window.RCB;
  const index = get("index");
  const host = document.getElementById("browser");
  const state = { system: index.systems[0].id, other: "", at: 0, tab: "steps", variant: 0, filters: {} };
  let panes = [];
  let active = null;
  let shown = [];
  let turn = 0;

  const caseOf = (at) => index.cases[at];
  const rowOf = (system, at) => (index.rows[system] || [])[at];
  // A run of Task 1 alone has no row; its cases are told by their messages.
  const messagesOnly = () => index.messages && [state.system, state.other].every((id) => !id || !index.rows[id]);
  const listed = (at) => rowOf(state.system, at) || (!index.rows[state.system] && index.messages && index.messages[at] ? {} : null);

  // What can be filtered: a key, its group of names, and the value of a case for a system.
  const filters = [
    { key: "outcome", group: "outcome", value: (row) => row.o },
    { key: "failure", group: "failure", value: (row) => row.f },
    { key: "evidence", group: "evidence_outcome", value: (row) => row.ev },
    { key: "gate", group: "gate", value: (row) => row.g },
    { key: "decision", group: "decision", value: (row) => row.d },
    { key: "predicted_type", group: "type", value: (row) => row.t },
    { key: "gold", group: "decision", value: (row, one) => one.gold },
    { key: "type", group: "type", value: (row, one) => one.type },
    { key: "language", group: "language", value: (row, one) => one.language },
    { key: "form", group: "form", value: (row, one) => one.form },
  ];

  window.RCB.outcomeChips = function (row) {
    const out = [];
    if (row.o) out.push(chip(row.o === "success" ? "good" : "bad", (row.o === "success" ? "✓ " : "✗ ") + label("outcome", row.o)));
    if (row.f) out.push(chip("warn", label("failure", row.f)));
    if (row.g) out.push(chip(row.g === "open" ? "good" : "bad", label("gate", row.g)));
    if (row.ev) out.push(chip("", label("evidence_outcome", row.ev)));
    if (row.parts) out.push(chip("", text("cases.parts", { seen: row.parts[1], cited: row.parts[2], all: row.parts[0] })));
    return out;
  };

  function matches(at) {
    const row = listed(at);
    if (!row) return false;
    const one = caseOf(at);
    const find = (state.filters.find || "").trim().toLowerCase();
    if (find && !one.id.toLowerCase().includes(find)) return false;
    return filters.every((each) => !state.filters[each.key] || each.value(row, one) === state.filters[each.key]);
  }

  function select(id, title, options, value, onchange) {
    return el("label", { class: "field" }, el("span", {}, title),
      el("select", { id, onchange: (event) => onchange(event.target.value) },
        options.map(([key, words]) => el("option", { value: key, selected: key === value }, words))));
  }

  function filterForm() {
    const systems = index.systems.map((each) => [each.id, each.id]);
    const fields = [
      select("pick-system", text("cases.system"), systems, state.system, (value) => { state.system = value; refilter(); }),
      select("pick-other", text("cases.compare"), [["", text("cases.nobody")], ...systems.filter(([id]) => id !== state.system)], state.other, (value) => { state.other = value; draw(); }),
    ];
    for (const each of filters) {
      const rows = index.cases.map((one, at) => [listed(at), one]).filter(([row]) => row);
      const found = new Set(rows.map(([row, one]) => each.value(row, one) || ""));
      if (found.size < 2 && !state.filters[each.key]) continue;
      const values = [...found].filter(Boolean);
      const options = values.map((value) => [value, label(each.group, value)]).sort((a, b) => a[1].localeCompare(b[1]));
      fields.push(select("filter-" + each.key, text("cases.filter." + each.key), [["", text("cases.any")], ...options], state.filters[each.key] || "", (value) => { state.filters[each.key] = value; refilter(); }));
    }
    fields.push(el("label", { class: "field" }, el("span", {}, text("cases.filter.find")),
      el("input", { id: "filter-find", type: "search", value: state.filters.find || "", oninput: (event) => { state.filters.find = event.target.value; refilter(); } })));
    return el("form", { class: "filters", onsubmit: (event) => event.preventDefault(), "aria-label": text("cases.filters") }, fields);
  }

  // What a run made of a case, in a few words; what the case is where it made nothing.
  function made(row, one) {
    if (row.d) return label("decision", row.d) + (row.d === "VIOLATION" ? " · " + label("type", row.t) : "");
    if (!row.k) return [one.form && label("form", one.form), one.topic && label("topic", one.topic)].filter(Boolean).join(" · ");
    return row.f ? "⊥ " + label("failure", row.f) : "⊥";
  }

  function list() {
    const items = shown.map((at) => {
      const one = caseOf(at);
      const row = listed(at);
      const right = row.o ? row.o === "success" : null;
      return el("li", {}, el("button", {
        type: "button", "aria-current": at === state.at ? "true" : null, "data-at": at,
        onclick: () => choose(at),
      },
        el("span", { class: "dot " + (right === null ? "" : right ? "good" : "bad"), "aria-hidden": "true" }, right === null ? "·" : right ? "✓" : "✗"),
        el("span", { class: "what" }, el("code", {}, one.id), el("small", {}, made(row, one))),
        row.o ? el("span", { class: "hidden" }, label("outcome", row.o)) : null));
    });
    return el("div", { class: "list" },
      el("p", { class: "faint", id: "how-many" }, text("cases.shown", { n: shown.length, all: index.cases.length })),
      el("ol", { tabindex: "-1", "aria-label": text("cases.list") }, items));
  }

  function refilter() {
    shown = index.cases.map((_, at) => at).filter(matches);
    if (!shown.includes(state.at)) state.at = shown.length ? shown[0] : -1;
    draw();
    say(text("cases.shown", { n: shown.length, all: index.cases.length }));
  }

  function choose(at) {
    state.at = at;
    state.variant = 0;
    for (const button of host.querySelectorAll(".list [data-at]")) {
      const now = Number(button.dataset.at) === at;
      if (now) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
      if (now) {
        const box = host.querySelector(".list ol");
        if (button.offsetTop < box.scrollTop || button.offsetTop + button.offsetHeight > box.scrollTop + box.clientHeight) box.scrollTop = button.offsetTop - 60;
      }
    }
    writeHash();
    detail();
  }

  function step(by) {
    const next = shown.indexOf(state.at) + by;
    if (next >= 0 && next < shown.length) choose(shown[next]);
  }

  function detail() {
    const box = host.querySelector(".detail");
    panes = [];
    active = null;
    turn += 1;
    if (state.at < 0) {
      box.replaceChildren(el("p", { class: "nothing" }, text("cases.none")));
      return;
    }
    const one = caseOf(state.at);
    const place = shown.indexOf(state.at);
    const shownTab = messagesOnly() ? "messages" : state.tab;
    const tab = (key) => el("button", { type: "button", class: "quiet", "aria-pressed": String(shownTab === key), onclick: () => { state.tab = key; writeHash(); detail(); } }, text("cases.tab." + key));
    const body = el("div", { class: "panes" });
    box.replaceChildren(
      el("header", { class: "case-head" },
        el("div", {}, el("h3", {}, text("cases.case") + " ", el("code", {}, one.id)), el("p", { class: "faint" }, facts(one))),
        el("div", { class: "case-tools" },
          index.messages ? [messagesOnly() ? null : tab("steps"), tab("messages")] : null,
          el("button", { type: "button", class: "quiet", disabled: place <= 0, "aria-label": text("cases.previous"), title: text("cases.previous") + " (k)", onclick: () => step(-1) }, "↑"),
          el("button", { type: "button", class: "quiet", disabled: place >= shown.length - 1, "aria-label": text("cases.next"), title: text("cases.next") + " (j)", onclick: () => step(1) }, "↓"))),
      body);
    if (shownTab === "messages" && index.messages) drawMessages(body, turn);
    else drawPanes(body, turn);
  }

  function facts(one) {
    const parts = [];
    if (one.gold) parts.push(text("cases.gold") + ": " + label("decision", one.gold) + (one.gold === "VIOLATION" ? " · " + label("type", one.type) : ""));
    if (one.language) parts.push(label("language", one.language));
    if (one.form) parts.push(label("form", one.form));
    if (one.topic) parts.push(label("topic", one.topic));
    return parts.join(" · ");
  }

  function failed(box) {
    box.replaceChildren(el("p", { class: "nothing" }, text("cases.missing")));
  }

  function drawPanes(body, mine) {
    const at = state.at;
    const systems = [state.system, state.other].filter(Boolean);
    body.className = "panes" + (systems.length > 1 ? " two" : "");
    systems.forEach((system, number) => {
      const row = rowOf(system, at);
      const box = el("article", { class: "pane", "aria-label": system });
      body.append(box);
      if (!row) {
        box.append(el("h4", {}, system), el("p", { class: "nothing" }, text("cases.not_run")));
        return;
      }
      box.append(el("p", { class: "faint" }, text("cases.loading")));
      load("case:" + row.k, "cases/" + row.k + ".js").then((view) => {
        if (mine !== turn) return;
        const pane = new window.RCB.Pane(box, system, row, view, (each) => { active = each; });
        panes[number] = pane;
        if (number === 0) active = pane;
        const wanted = number === 0 && state.wantedStep;
        state.wantedStep = null;
        pane.step = wanted ? Math.min(wanted, view.steps.length - 1) : 0;
        pane.draw();
      }).catch(() => failed(box));
    });
  }

  function drawMessages(body, mine) {
    const key = index.messages[state.at];
    body.className = "panes";
    if (!key) {
      body.replaceChildren(el("p", { class: "nothing" }, text("messages.none")));
      return;
    }
    const rows = [state.system, state.other].filter(Boolean);
    const box = el("article", { class: "pane messages" });
    body.append(box);
    load("messages:" + key, "cases/" + key + ".js").then((view) => {
      if (mine !== turn) return;
      const show = (at) => {
        state.variant = at;
        window.RCB.drawMessages(box, view, at, rows, (next) => {
          show(next);
          box.querySelector(`[data-focus="variant${next}"]`).focus({ preventScroll: true });
        });
      };
      show(Math.min(state.variant, view.variants.length - 1));
    }).catch(() => failed(box));
  }

  function draw() {
    const focused = document.activeElement && host.contains(document.activeElement) ? document.activeElement.id : "";
    const caret = focused === "filter-find" ? document.activeElement.selectionStart : null;
    if (state.other === state.system) state.other = "";
    host.replaceChildren(filterForm(), el("p", { class: "faint keys" }, text("cases.keys")), el("div", { class: "split" }, list(), el("div", { class: "detail" })));
    const again = focused && document.getElementById(focused);
    if (again) {
      again.focus({ preventScroll: true });
      if (caret !== null) again.setSelectionRange(caret, caret);
    }
    writeHash();
    detail();
  }

  function writeHash() {
    if (!started || state.at < 0) return;
    const parts = new URLSearchParams({ case: caseOf(state.at).id, system: state.system });
    if (state.other) parts.set("with", state.other);
    if (state.tab !== "steps") parts.set("tab", state.tab);
    history.replaceState(null, "", "#" + parts);
  }

  function readHash() {
    const parts = new URLSearchParams(location.hash.slice(1));
    if (!parts.has("case")) return false;
    const known = (id) => index.systems.some((each) => each.id === id);
    if (known(parts.get("system"))) state.system = parts.get("system");
    if (known(parts.get("with"))) state.other = parts.get("with");
    if (parts.get("tab") === "messages") state.tab = "messages";
    state.wantedStep = Number(parts.get("step")) || null;
    const at = index.cases.findIndex((each) => each.id === parts.get("case"));
    if (at >= 0) state.at = at;
    return at >= 0;
  }

  function inView() {
    const box = host.getBoundingClientRect();
    return box.top < innerHeight * 0.8 && box.bottom > innerHeight * 0.2;
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("input, select, textarea") || !inView()) return;
    if (event.key === "j") step(1);
    else if (event.key === "k") step(-1);
    else if (event.key === "ArrowRight" && active) active.move(1);
    else if (event.key === "ArrowLeft" && active) active.move(-1);
    else return;
    event.preventDefault();
  });

  // Cases load once the browser comes near, so that the tables are readable at once.
  let started = false;
  const linked = readHash();
  shown = index.cases.map((_, at) => at).filter(matches);
  if (!shown.includes(state.at)) state.at = shown.length ? shown[0] : -1;
  function start() {
    if (started) return;
    draw();
    started = true;
  }
  if (linked) {
    history.scrollRestoration = "manual";
    start();
    addEventListener("load", () => host.querySelector(".detail").scrollIntoView());
  } else {
    new IntersectionObserver((entries, watcher) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      watcher.disconnect();
      start();
    }, { rootMargin: "600px" }).observe(host);
  }
  window.RCB.onLanguage(() => { if (started) draw(); });
  addEventListener("hashchange", () => { if (readHash()) refilter(); });
})();
