// The message view of one website: each variant, its trace, and what every run made of it.
(function () {
  "use strict";
  const { el, text, label } = window.RCB;
  const kinds = { replace: "replace", insert: "insert", delete: "delete" };

  // Words that are only in the reference are struck out; words that are only in the run's are added.
  function diffLine(parts) {
    return el("p", { class: "diff", dir: "auto" }, parts.map(([kind, expected, found]) => {
      if (kind === "equal") return found;
      return [
        kinds[kind] !== "insert" && expected ? el("del", {}, visible(expected)) : null,
        kinds[kind] !== "delete" && found ? el("ins", {}, visible(found)) : null,
      ];
    }));
  }

  function visible(words) {
    return words.replaceAll("\n", "⏎\n").replace(/[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, (char) => "⟨" + char.codePointAt(0).toString(16).toUpperCase() + "⟩");
  }

  function exact(parts) {
    return parts.every(([kind]) => kind === "equal");
  }

  function mark(right) {
    return window.RCB.chip(right ? "good" : "bad", (right ? "✓ " : "✗ ") + text(right ? "messages.right" : "messages.wrong"));
  }

  function restoration(name, made) {
    const box = el("section", { class: "card restoration" }, el("h5", {}, name));
    if (made.failure) {
      box.append(window.RCB.failureLine(made.failure));
      return box;
    }
    for (const message of made.messages) {
      box.append(el("div", { class: "restored" }, el("div", { class: "chips" }, mark(exact(message.diff))), diffLine(message.diff)));
    }
    box.append(el("p", {}, el("span", { class: "faint" }, text("messages.intent") + " "), label("intent", made.intent), " ", mark(made.intentRight)));
    if (made.abstain) box.append(el("p", {}, window.RCB.chip("warn", text("messages.abstained"))));
    if (made.candidates.length) {
      box.append(el("p", { class: "faint" }, text("messages.candidates")));
      box.append(el("ol", { class: "candidates" }, made.candidates.map((each) => el("li", { value: each.rank },
        el("code", { dir: "auto" }, each.value), " ",
        each.right ? mark(true) : each.tolerant ? window.RCB.chip("warn", text("messages.tolerant")) : each.rank === 1 ? mark(false) : null,
        each.confidence === null ? null : el("span", { class: "faint" }, " " + each.confidence.toFixed(2))))));
    } else if (!made.abstain) {
      box.append(el("p", { class: "faint" }, text("messages.no_candidates")));
    }
    return box;
  }

  function trace(stages) {
    return el("details", { class: "card", "data-fold": "trace" },
      el("summary", {}, text("messages.trace", { n: stages.reduce((sum, stage) => sum + stage.edits.length, 0) })),
      stages.map((stage) => el("div", { class: "trace-stage" },
        el("h6", {}, label("operator", stage.operator)),
        el("ul", {}, stage.edits.map((edit) => el("li", { dir: "auto" },
          edit.before ? el("del", {}, visible(edit.before)) : null, " → ",
          edit.after ? el("ins", {}, visible(edit.after)) : el("span", { class: "faint" }, "∅"), " ",
          el("span", { class: "faint" }, label("rule", edit.rule))))))));
  }

  // Draw variant `at` of `view` into `host`, with the runs in `rows` only.
  function draw(host, view, at, rows, onVariant) {
    const variant = view.variants[at];
    const tabs = el("div", { class: "variants", role: "group", "aria-label": text("messages.variants") }, view.variants.map((each, number) => el("button", {
      type: "button", "aria-pressed": String(number === at), class: "quiet", "data-focus": "variant" + number,
      onclick: () => onVariant(number),
    }, each.variant + (each.variant === "v000" ? " · " + text("messages.primary") : ""))));
    const facts = [label("platform", variant.platform), label("surface", variant.surface), label("recipe", variant.recipe), label("severity", variant.severity)];
    const given = el("section", { class: "card" }, el("h5", {}, text("messages.given")),
      variant.messages.map((each) => el("p", { class: "message", dir: "auto" }, visible(each.given))));
    const source = el("section", { class: "card" }, el("h5", {}, text("messages.source")),
      variant.messages.filter((each) => each.source !== null).map((each) => el("p", { class: "message", dir: "auto" }, each.source)),
      el("p", {}, el("span", { class: "faint" }, text("messages.entry") + " "), el("code", {}, variant.entry), el("span", { class: "faint" }, " · " + text("messages.intent") + " "), label("intent", variant.intent)));
    const runs = rows.filter((row) => variant.runs[row]).map((row) => restoration(row, variant.runs[row]));
    host.replaceChildren(tabs, el("p", { class: "faint" }, facts.join(" · "), " · ", el("code", {}, variant.sample)),
      el("div", { class: "pair" }, given, source),
      variant.trace.length ? trace(variant.trace) : "",
      el("p", { class: "faint key" }, text("messages.diff_key") + " ", el("del", {}, text("messages.expected")), " ", el("ins", {}, text("messages.found"))),
      el("div", { class: "pair" }, runs.length ? runs : el("p", { class: "faint" }, text("messages.no_runs"))));
  }

  window.RCB.drawMessages = draw;
})();
