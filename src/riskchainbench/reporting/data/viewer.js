// One pane: a run's investigation of one website, stepped through with its conclusion in view.
(function () {
  "use strict";
  const { el, text, label, said, say } = window.RCB;

  function chip(kind, words, title) {
    return el("span", { class: "chip " + kind, title }, words);
  }

  function seconds(value) {
    return value === undefined ? "–" : text("viewer.seconds", { n: value.toFixed(1) });
  }

  function failureLine(failure) {
    return el("p", { class: "failed" },
      el("strong", {}, label("failure", failure.class)),
      " ", el("span", { class: "faint" }, label("owner", failure.owner)),
      failure.detail ? el("span", { class: "quoted", dir: "auto" }, failure.detail) : null);
  }

  // White space counts as one space, as it does where citations are checked.
  function findQuote(haystack, quote) {
    const parts = quote.trim().split(/\s+/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    if (parts.length === 1 && parts[0] === "") return null;
    return new RegExp(parts.join("\\s+")).exec(haystack.normalize("NFC"));
  }

  function markQuotes(words, quotes) {
    const source = words.normalize("NFC");
    const spans = quotes.map((quote) => ({ found: findQuote(source, quote.text.normalize("NFC")), quote }))
      .filter((each) => each.found)
      .map((each) => ({ start: each.found.index, end: each.found.index + each.found[0].length, quote: each.quote }))
      .sort((a, b) => a.start - b.start || b.end - a.end);
    const out = [];
    let at = 0;
    for (const span of spans) {
      if (span.start < at) continue;
      out.push(source.slice(at, span.start));
      out.push(el("mark", {}, source.slice(span.start, span.end), el("sup", {}, "[" + span.quote.number + "]")));
      at = span.end;
    }
    out.push(source.slice(at));
    return out;
  }

  class Pane {
    constructor(host, systemName, row, view, onActive) {
      Object.assign(this, { host, systemName, row, view, step: 0, reference: null });
      host.addEventListener("pointerdown", () => onActive(this));
      host.addEventListener("focusin", () => onActive(this));
      this.references = ((view.conclusion || {}).evidence || []).map((each, at) => ({ ...each, number: at + 1 }));
    }

    go(step, reference) {
      const last = this.view.steps.length - 1;
      this.step = Math.max(0, Math.min(last, step));
      this.reference = reference || null;
      this.draw();
      say(text("viewer.step_of", { n: this.step, last }));
    }

    // Two panes may stand side by side, so each region is named with its system.
    named(key) { return text(key) + ": " + this.systemName; }

    move(by) { this.go(this.step + by); }

    draw() {
      const focused = this.host.contains(document.activeElement) ? document.activeElement.dataset.focus : null;
      const open = [...this.host.querySelectorAll("details[data-fold]")].filter((node) => node.open).map((node) => node.dataset.fold);
      const strip = this.host.querySelector(".strip");
      const scrolled = strip ? strip.scrollLeft : 0;
      this.host.replaceChildren(this.head(), this.strip(), this.stage());
      const newStrip = this.host.querySelector(".strip");
      newStrip.scrollLeft = scrolled;
      const now = newStrip.querySelector(".now");
      if (now) {
        const [left, right] = [now.offsetLeft, now.offsetLeft + now.offsetWidth];
        if (left < newStrip.scrollLeft || right > newStrip.scrollLeft + newStrip.clientWidth) newStrip.scrollLeft = left - newStrip.clientWidth / 2;
      }
      for (const node of this.host.querySelectorAll("details[data-fold]")) {
        if (open.includes(node.dataset.fold)) node.open = true;
      }
      const mark = this.reference && this.host.querySelector("mark");
      if (mark) mark.parentElement.scrollTop = mark.offsetTop - 40;
      if (focused) {
        const again = this.host.querySelector(`[data-focus="${CSS.escape(focused)}"]`);
        if (again) again.focus({ preventScroll: true });
      }
    }

    head() {
      const chips = window.RCB.outcomeChips(this.row);
      return el("header", { class: "pane-head" }, el("h4", {}, this.systemName), el("div", { class: "chips" }, chips));
    }

    conclusion() {
      const made = this.view.conclusion;
      const box = el("section", { class: "conclusion", "aria-label": this.named("viewer.conclusion") });
      box.append(el("h5", {}, text("viewer.conclusion")));
      if (!made) {
        box.append(el("p", { class: "faint" }, text("viewer.no_conclusion")));
      } else if (made.failure) {
        box.append(failureLine(made.failure));
      } else {
        box.append(el("p", { class: "verdict" },
          el("strong", {}, label("decision", made.decision)),
          made.decision === "VIOLATION" ? el("span", {}, " · " + label("type", made.type)) : null,
          el("span", { class: "faint sure" }, text("viewer.confidence", { p: Math.round(100 * made.confidence) }))));
        box.append(el("p", { class: "rationale", dir: "auto", tabindex: "0" }, made.rationale));
        box.append(el("ul", { class: "references", "aria-label": this.named("viewer.evidence") },
          this.references.map((each) => el("li", {}, this.referenceButton(each)))));
      }
      for (const judge of this.view.judges || []) box.append(this.judgment(judge));
      return box;
    }

    judgment(judge) {
      const words = judge.scores
        ? Object.entries(judge.scores).map(([name, score]) => label("column", name) + " " + score).join(" · ")
        : text("viewer.judge_missing");
      const name = said(judge.judge);
      return el("p", { class: "faint meta" }, text("viewer.judged") + " ", judge.deterministic ? chip("warn", name) : name, ": ", words);
    }

    referenceButton(reference) {
      const words = reference.kind === "quote" ? "“" + reference.text + "”"
        : reference.kind === "element" ? text("viewer.element") + " " + reference.element + this.elementName(reference)
          : text("viewer.box") + " " + reference.box.map((side) => Math.round(side)).join(", ");
      const active = this.reference === reference.number;
      return el("button", {
        type: "button", class: "citation" + (active ? " active" : ""), "aria-pressed": String(active),
        "data-focus": "reference" + reference.number,
        onclick: () => this.go(reference.step, reference.number),
      }, el("b", {}, "[" + reference.number + "]"), " ", el("span", { class: "faint" }, text("viewer.at_step", { n: reference.step })), " ", el("span", { dir: "auto" }, words));
    }

    elementName(reference) {
      const step = this.view.steps[reference.step];
      const found = step && (step.elements || []).find((each) => each.id === reference.element);
      return found && found.name ? " “" + found.name + "”" : "";
    }

    strip() {
      const cited = new Set(this.references.map((each) => each.step));
      const items = this.view.steps.map((step, at) => {
        const name = step.action ? label("action", step.action.action) : step.failure ? text("viewer.invalid_turn") : text("viewer.end");
        const extra = cited.has(at) ? ", " + text("viewer.cited_here") : "";
        return el("li", {}, el("button", {
          type: "button", "data-focus": "step" + at,
          class: (at === this.step ? "now " : "") + (cited.has(at) ? "cited " : "") + (step.failure ? "bad" : ""),
          "aria-current": at === this.step ? "step" : null,
          "aria-label": text("viewer.step", { n: at }) + ": " + name + extra,
          title: name + extra,
          onclick: () => this.go(at),
        }, String(at)));
      });
      const back = el("button", { type: "button", class: "quiet", "data-focus": "previous", disabled: this.step === 0, "aria-label": text("viewer.previous_step"), onclick: () => this.move(-1) }, "←");
      const on = el("button", { type: "button", class: "quiet", "data-focus": "next", disabled: this.step >= this.view.steps.length - 1, "aria-label": text("viewer.next_step"), onclick: () => this.move(1) }, "→");
      return el("nav", { class: "steps", "aria-label": this.named("viewer.steps") }, back, el("ol", { class: "strip" }, items), on);
    }

    stage() {
      const step = this.view.steps[this.step];
      if (!step) {
        const end = this.view.end;
        return el("div", {}, el("div", { class: "stage-empty" }, el("p", {}, text("viewer.no_steps")), end && end.failure ? failureLine(end.failure) : null), this.conclusion());
      }
      return el("div", { class: "stage" }, this.picture(step),
        el("div", { class: "side" }, this.actionCard(step), this.conclusion()),
        el("div", { class: "below" }, this.screenText(step), this.inventory(step)));
    }

    citedHere() {
      return this.references.filter((each) => each.step === this.step);
    }

    picture(step) {
      const [width, height] = this.view.viewport;
      const caption = el("figcaption", {},
        el("span", { dir: "auto" }, step.title || text("viewer.untitled")),
        el("span", { class: "faint" }, this.scrollWords(step)));
      if (!step.image) {
        const words = step.taken ? text("viewer.not_copied") : text("viewer.no_screenshot");
        return el("figure", { class: "picture" }, el("div", { class: "missing", style: `aspect-ratio:${width}/${height}` }, this.overlay(step, width, height), el("p", {}, words)), caption);
      }
      return el("figure", { class: "picture" }, el("div", { class: "screen" },
        el("img", { src: "images/" + step.image + ".png", width, height, alt: text("viewer.screenshot_alt", { n: this.step, title: step.title || "" }) }),
        this.overlay(step, width, height)), caption);
    }

    scrollWords(step) {
      const [top, page, view] = step.scroll;
      return page > view + 1 ? text("viewer.scrolled", { p: Math.round(100 * Math.min(1, (top + view) / page)) }) : text("viewer.whole_page");
    }

    // Outlines stand in per cent of the viewport, so they fit the picture at any size.
    overlay(step, width, height) {
      const layer = el("div", { class: "overlay", "aria-hidden": "true" });
      const acted = step.action && (step.elements || []).find((each) => each.id === step.action.element);
      if (acted && acted.box) layer.append(frame(acted.box, "acted", label("action", step.action.action), width, height));
      const cited = new Map();
      for (const each of this.citedHere()) {
        const box = each.kind === "box" ? each.box : (citedElement(step, each) || {}).box;
        if (box) cited.set(box.join(), { box, numbers: [...((cited.get(box.join()) || {}).numbers || []), each.number] });
      }
      for (const { box, numbers } of cited.values()) {
        const active = numbers.includes(this.reference) ? " active" : "";
        layer.append(frame(box, "evidence" + active, numbers.map((each) => "[" + each + "]").join(" "), width, height));
      }
      return layer;
    }

    actionCard(step) {
      const box = el("section", { class: "card action" });
      box.append(el("h5", {}, text("viewer.action")));
      if (step.action) {
        const target = (step.elements || []).find((each) => each.id === step.action.element);
        box.append(el("p", { class: "did" },
          el("strong", {}, label("action", step.action.action)),
          step.action.element ? el("code", {}, " " + step.action.element) : null,
          target ? el("span", { dir: "auto" }, " “" + (target.name || target.role) + "”") : null,
          step.action.option ? el("span", { dir: "auto" }, " → " + step.action.option) : null));
        if (step.action.reason) box.append(el("p", { class: "reason", dir: "auto" }, step.action.reason));
      } else if (step.failure) {
        box.append(failureLine(step.failure));
      } else {
        box.append(el("p", {}, label("ending", (this.view.end || {}).ending)));
        if (this.view.end && this.view.end.failure) box.append(failureLine(this.view.end.failure));
      }
      if (step.repairs) box.append(el("p", { class: "faint" }, text("viewer.repairs", { n: step.repairs })));
      const next = this.view.steps[this.step + 1];
      if (next && next.outcome) box.append(this.result(next.outcome, text("viewer.result")));
      if (next) for (const event of next.events || []) box.append(eventLine(event));
      if (this.step === 0) for (const event of step.events || []) box.append(eventLine(event));
      box.append(el("p", { class: "faint meta" }, [
        text("viewer.remaining", { n: step.remaining }),
        seconds(step.at),
      ].join(" · ")));
      return box;
    }

    result(outcome, title) {
      const good = outcome.status === "done";
      return el("p", { class: "result" }, el("span", { class: "faint" }, title + " "),
        chip(good ? "good" : "warn", label("status", outcome.status)),
        outcome.fixture ? el("span", {}, " " + text("viewer.fixture", { name: outcome.fixture })) : null,
        outcome.detail ? el("span", { class: "quoted", dir: "auto" }, outcome.detail) : null);
    }

    screenText(step) {
      const quotes = this.citedHere().filter((each) => each.kind === "quote");
      return el("details", { class: "card", "data-fold": "text", open: quotes.length > 0 || null },
        el("summary", {}, text("viewer.text")),
        step.text ? el("p", { class: "screen-text", dir: "auto", tabindex: "0" }, markQuotes(step.text, quotes)) : el("p", { class: "faint" }, text("viewer.no_text")));
    }

    inventory(step) {
      const elements = step.elements || [];
      const cited = new Map(this.citedHere().filter((each) => each.kind === "element").map((each) => [each.element, each.number]));
      const rows = elements.map((each) => {
        const acted = step.action && step.action.element === each.id;
        return el("tr", { class: (acted ? "acted " : "") + (cited.has(each.id) ? "evidence" : "") },
          el("td", {}, el("code", {}, each.id)),
          el("td", {}, label("element", each.kind)),
          el("td", { dir: "auto" }, each.name || "–",
            each.value ? el("span", { class: "faint" }, " = " + each.value) : null,
            each.options ? el("span", { class: "faint" }, " [" + each.options.join(" | ") + "]") : null,
            each.checked ? el("span", { class: "faint" }, " ✓") : null),
          el("td", {},
            acted ? chip("act", text("viewer.acted")) : null,
            cited.has(each.id) ? chip("cite", "[" + cited.get(each.id) + "]") : null,
            each.disabled ? chip("", text("viewer.disabled")) : null,
            each.below ? chip("", text("viewer.below")) : null));
      });
      return el("details", { class: "card", "data-fold": "inventory" },
        el("summary", {}, text("viewer.inventory", { n: elements.length + (step.leftOut || 0) })),
        el("div", { class: "inventory", tabindex: "0", role: "region", "aria-label": this.named("viewer.inventory_short") }, el("table", {}, el("tbody", {}, rows))),
        step.leftOut ? el("p", { class: "faint" }, text("viewer.left_out", { n: step.leftOut })) : null);
    }
  }

  function eventLine(event) {
    return el("p", { class: "event" }, chip("warn", label("event", event.kind)), event.text ? el("span", { class: "quoted", dir: "auto" }, event.text) : null);
  }

  // The control that a reference cites; a quote may be the name of one.
  function citedElement(step, reference) {
    const elements = step.elements || [];
    if (reference.kind === "element") return elements.find((each) => each.id === reference.element);
    return elements.find((each) => each.box && findQuote(each.name || "", reference.text));
  }

  function frame(box, kind, words, width, height) {
    const [x, y, w, h] = box;
    const place = `left:${100 * x / width}%;top:${100 * y / height}%;width:${100 * w / width}%;height:${100 * h / height}%`;
    const end = x > 0.8 * width ? " at-end" : "";
    const inside = y < 0.06 * height ? " inside" : "";
    const low = y + h > 0.93 * height ? " low" : "";
    const whole = low && inside && w > 0.95 * width ? " whole" : "";
    return el("div", { class: "frame " + kind + end + inside + low + whole, style: place }, el("span", {}, words));
  }

  window.RCB.Pane = Pane;
  window.RCB.chip = chip;
  window.RCB.failureLine = failureLine;
})();
