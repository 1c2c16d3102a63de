// Every metric by stratum: two choices and one heat map, loaded when the fold is opened.
(function () {
  "use strict";
  const { breakable, el, label, load, text } = window.RCB;
  const fold = document.getElementById("all-strata");
  const place = fold.querySelector(".chooser");
  const chosen = {};

  const percent = (share) => (100 * share).toFixed(1).replace("-", "\u2212");

  const grouped = (count) => count.toLocaleString("en-US");

  function select(name, key, groups, value) {
    const list = el("select", { onchange: (event) => { chosen[name] = event.target.value; drawNow(); focus(name); } });
    for (const [title, options] of groups) {
      const made = options.map(([id, words]) => el("option", { value: id, selected: id === value }, words));
      list.append(...(title ? [el("optgroup", { label: title }, made)] : made));
    }
    list.dataset.choice = name;
    return el("label", {}, text(key) + " ", list);
  }

  function focus(name) {
    place.querySelector('[data-choice="' + name + '"]').focus();
  }

  function cell(values, thin) {
    const known = typeof values[0] === "number";
    const node = el("td", { class: [known ? "" : "none", thin ? "thin" : ""].join(" ").trim() || null });
    if (!known) {
      node.append(el("span", {}, "–"), values.length ? el("span", { class: "count" }, text("cell.undefined")) : "");
      return node;
    }
    const [share, top, bottom, low, high] = values;
    node.style.setProperty("--v", Math.min(1, Math.max(0, share)).toFixed(3));
    node.append(el("span", {}, percent(share)));
    if (low !== undefined) node.append(el("span", { class: "interval" }, "[" + percent(low) + ", " + percent(high) + "]"));
    if (top !== null) node.append(el("span", { class: "count" }, grouped(top) + "/" + grouped(bottom)));
    return node;
  }

  function table(map, dimension, groups) {
    const group = groups[dimension] || dimension;
    const heads = map.values.map(([name, units, thin]) =>
      el("th", { scope: "col", class: thin ? "thin" : null }, label(group, name), el("span", { class: "count" }, "n = " + grouped(units))));
    const rows = map.rows.map(([name, cells]) =>
      el("tr", {}, el("th", { scope: "row" }, breakable(name)), cells.map((values, at) => cell(values, map.values[at][2]))));
    return el("div", { class: "scroll", role: "region", tabindex: "0", "aria-label": text("strata.all") },
      el("table", { class: "heat" },
        el("thead", {}, el("tr", {}, el("th", { scope: "col" }, text("column.system")), heads)),
        el("tbody", {}, rows)));
  }

  function draw(data) {
    if (!data.maps[chosen.metric]) chosen.metric = data.metrics[0].id;
    const maps = data.maps[chosen.metric];
    if (!maps[chosen.dimension]) chosen.dimension = Object.keys(maps)[0];
    const families = new Map();
    for (const each of data.metrics) {
      if (!families.has(each.family)) families.set(each.family, []);
      families.get(each.family).push([each.id, label("column", each.title)]);
    }
    const metrics = [...families].map(([family, options]) => [text("strata_family." + family), options]);
    const dimensions = Object.keys(maps).map((each) => [each, label("dimension", each)]);
    place.replaceChildren(
      el("p", { class: "choices" },
        select("metric", "strata.metric", metrics, chosen.metric),
        select("dimension", "strata.dimension", [["", dimensions]], chosen.dimension)),
      table(maps[chosen.dimension], chosen.dimension, data.groups));
    window.RCB.watchEdges(place);
  }

  function show() {
    if (!fold.open) return;
    load("strata", "assets/strata-data.js").then(draw, () => place.replaceChildren(text("strata.missing")));
  }

  function drawNow() {
    const data = window.RCB.get("strata");
    if (data) draw(data); else show();
  }

  fold.addEventListener("toggle", show);
  window.RCB.onLanguage(drawNow);
})();
