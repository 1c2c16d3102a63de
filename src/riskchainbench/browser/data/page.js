// Reads one frame in one pass and aims at its controls. Runs in an isolated world: the page can
// neither see it nor change what it calls. Evaluates to the frame's reader, made once a document.
(globalThis.reader ??= (() => {
  "use strict";
  const known = new WeakMap();
  const alive = new Map();
  const NATIVE = "a[href],area[href],button,input,select,textarea,summary";
  const ROLES = {
    button: "button", link: "link", tab: "button", menuitem: "button", menuitemradio: "choice",
    menuitemcheckbox: "choice", checkbox: "choice", radio: "choice", switch: "choice",
    option: "choice", treeitem: "button", textbox: "field", searchbox: "field",
    combobox: "field", spinbutton: "field", slider: "field",
  };
  const INPUT_ROLES = {
    checkbox: "checkbox", radio: "radio", range: "slider", number: "spinbutton",
    search: "searchbox", submit: "button", image: "button", button: "button", reset: "button",
    color: "color", date: "date", time: "time", month: "date", week: "date",
    "datetime-local": "date",
  };
  const fold = (text) => text.replace(/\s+/gu, " ").trim();
  const cut = (text, size) => (text.length > size ? text.slice(0, size - 1) + "…" : text);
  const round = (value) => Math.round(value * 10) / 10;
  const area = (r) => Math.max(0, r.right - r.left) * Math.max(0, r.bottom - r.top);
  const meet = (a, b) => ({
    left: Math.max(a.left, b.left), top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right), bottom: Math.min(a.bottom, b.bottom),
  });
  let view = null;
  const screen = () => view ?? { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  const attribute = (el, name) => el.getAttribute(name) ?? "";
  const parent = (node) =>
    node.assignedSlot ?? node.parentElement ??
    (node.parentNode instanceof ShadowRoot ? node.parentNode.host : null);
  const within = (inner, outer) => {
    for (let node = inner; node; node = parent(node)) if (node === outer) return true;
    return false;
  };
  const shown = (el) =>
    el.checkVisibility({ visibilityProperty: true, opacityProperty: true, contentVisibilityAuto: true });

  // --- names ---------------------------------------------------------------------------------
  function text(el) {
    return fold(el.innerText ?? el.textContent ?? "");
  }
  function name(el) {
    const root = el.getRootNode();
    const ids = attribute(el, "aria-labelledby").split(/\s+/).filter(Boolean);
    const referred = fold(ids.map((id) => root.getElementById?.(id)?.textContent ?? "").join(" "));
    if (referred) return referred;
    const own = fold(attribute(el, "aria-label"));
    if (own) return own;
    if (el instanceof HTMLInputElement && ["submit", "button", "reset"].includes(el.type))
      return fold(el.value) || { submit: "Submit", reset: "Reset" }[el.type] || "";
    const labels = el.labels ? fold([...el.labels].map(text).join(" ")) : "";
    if (labels) return labels;
    const fillable = el instanceof HTMLInputElement || el instanceof HTMLTextAreaElement ||
      el instanceof HTMLSelectElement || el.isContentEditable;
    if (!fillable) {
      const inner = text(el);
      if (inner) return inner;
      const images = [...el.querySelectorAll("img[alt],svg title,area[alt]")];
      const alt = fold(images.map((i) => attribute(i, "alt") || i.textContent || "").join(" "));
      if (alt) return alt;
    }
    return fold(attribute(el, "alt") || attribute(el, "title") || attribute(el, "placeholder") ||
      (fillable ? attribute(el, "name") : ""));
  }
  function describe(el) {
    const said = name(el);
    const role = attribute(el, "role") || el.localName;
    return said ? `${role} “${cut(said, 60)}”` : role;
  }

  // --- controls ------------------------------------------------------------------------------
  function kindOf(el, style, above) {
    if (el instanceof HTMLAnchorElement || el instanceof HTMLAreaElement)
      if (el.hasAttribute("href")) return ["link", attribute(el, "role") || "link"];
    if (el instanceof HTMLButtonElement)
      return [el.type === "submit" && el.form ? "submit" : "button", "button"];
    if (el instanceof HTMLInputElement) {
      if (el.type === "hidden" || el.type === "file") return null;
      const role = INPUT_ROLES[el.type] ?? "textbox";
      if (el.type === "submit" || el.type === "image") return ["submit", role];
      if (role === "button") return ["button", role];
      if (role === "checkbox" || role === "radio") return ["choice", role];
      return ["field", role];
    }
    if (el instanceof HTMLSelectElement) return ["choice", el.multiple ? "listbox" : "combobox"];
    if (el instanceof HTMLTextAreaElement) return ["field", "textbox"];
    if (el.localName === "summary") return ["button", "disclosure"];
    const role = attribute(el, "role").split(" ")[0];
    if (ROLES[role]) {
      if (ROLES[role] === "field" && !el.isContentEditable) return ["button", role];
      return [ROLES[role], role];
    }
    if (el.isContentEditable && !parent(el)?.isContentEditable) return ["field", "textbox"];
    if (el.localName === "label" || el === document.body || el === document.documentElement)
      return null;
    const pressed = el.hasAttribute("onclick") ||
      (style.cursor === "pointer" && above !== "pointer");
    if (!pressed) return null;
    if (!el.hasAttribute("onclick") && el.querySelector(NATIVE)) return null;
    return ["button", "clickable"];
  }
  function valueOf(el, kind) {
    if (el instanceof HTMLSelectElement)
      return fold([...el.selectedOptions].map((o) => o.label).join(", "));
    if (el instanceof HTMLInputElement && el.type === "password") return "•".repeat(el.value.length);
    if (kind === "field") return fold("value" in el ? String(el.value) : text(el));
    return "";
  }
  function checkedOf(el) {
    if (el instanceof HTMLInputElement && ["checkbox", "radio"].includes(el.type)) return el.checked;
    const state = el.getAttribute("aria-checked") ?? el.getAttribute("aria-selected");
    return state === null ? null : state === "true";
  }
  const disabled = (el) =>
    el.matches(":disabled") || attribute(el, "aria-disabled") === "true" || !!el.closest("[inert]");

  // --- text ----------------------------------------------------------------------------------
  function opaque(el) {
    const style = getComputedStyle(el);
    if (Number(style.opacity) < 0.9) return false;
    if (["IMG", "IFRAME", "VIDEO"].includes(el.tagName)) return true;
    const parts = style.backgroundColor.match(/[\d.]+/g) ?? [];
    return parts.length === 3 || (parts.length === 4 && Number(parts[3]) >= 0.9);
  }
  const ours = (el, hit) => within(el, hit) || within(hit, el);
  // Hit tests are slow on crowded lines; past this many milliseconds a pass makes no more.
  const HIT_TEST_BUDGET = 400;
  let spent = 0;
  function coveredAt(el, x, y) {
    if (spent > HIT_TEST_BUDGET) return false;
    const begun = performance.now();
    const answer = hitTest(el, x, y);
    spent += performance.now() - begun;
    return answer;
  }
  function hitTest(el, x, y) {
    const top = document.elementFromPoint(x, y);
    if (!top || ours(el, top)) return false;
    if (opaque(top)) return true;
    for (const hit of document.elementsFromPoint(x, y)) {
      if (ours(el, hit)) return false;
      if (opaque(hit)) return true;
    }
    return false;
  }
  function covered(el, rects) {
    const picked = rects.length > 3 ? [rects[0], rects[rects.length >> 1], rects.at(-1)] : rects;
    return picked.every((r) => coveredAt(el, (r.left + r.right) / 2, (r.top + r.bottom) / 2));
  }
  const range = document.createRange();
  function visibleParts(node, from, to, clip, out) {
    range.setStart(node, from);
    range.setEnd(node, to);
    const rects = [...range.getClientRects()].filter((r) => r.width > 0 && r.height > 0);
    if (!rects.length) {
      if (/^\s+$/u.test(node.data.slice(from, to))) out.push([node.data.slice(from, to), []]);
      return;
    }
    const middle = (r) => r.left + r.width / 2 >= clip.left && r.left + r.width / 2 <= clip.right &&
      r.top + r.height / 2 >= clip.top && r.top + r.height / 2 <= clip.bottom;
    const inside = rects.filter((r) => r.left >= clip.left - 1 && r.right <= clip.right + 1 && middle(r));
    if (inside.length === rects.length) {
      out.push([node.data.slice(from, to), rects]);
      return;
    }
    if (!rects.some((r) => area(meet(r, clip)) > 0)) return;
    if (to - from <= 2) {
      if (rects.every(middle)) out.push([node.data.slice(from, to), rects]);
      return;
    }
    let half = (from + to) >> 1;
    const code = node.data.charCodeAt(half);
    if (code >= 0xdc00 && code <= 0xdfff) half += 1;
    visibleParts(node, from, half, clip, out);
    visibleParts(node, half, to, clip, out);
  }

  // --- the pass ------------------------------------------------------------------------------
  function read(limits) {
    view = limits.clip;
    spent = 0;
    const elements = [];
    const lines = [];
    let size = 0, visited = 0, leftOut = 0, next = limits.next, last = null, gap = "";
    const clips = new WeakMap();

    function emit(string, block) {
      if (!string || size > limits.text) return;
      if (last !== null && block !== last) gap = "\n";
      lines.push(gap, string);
      size += string.length;
      gap = "";
      last = block;
    }
    function addText(node, el, style, clip, block) {
      if (!/\S/u.test(node.data)) {
        if (last === block && !gap) gap = " ";
        return;
      }
      if (parseFloat(style.fontSize) < 2) return;
      const parts = [];
      visibleParts(node, 0, node.data.length, clip, parts);
      const rects = parts.flatMap((p) => p[1]);
      if (!rects.length || covered(el, rects)) return;
      const raw = parts.map((p) => p[0]).join("");
      const kept = style.whiteSpaceCollapse === "preserve" ? raw : raw.replace(/\s+/gu, " ");
      emit(kept, block);
    }
    function addControl(el, box, kind, role, clip) {
      if (elements.length >= limits.elements) {
        leftOut += 1;
        return;
      }
      // A number from `next` on was given by a pass that came to nothing; it is given anew.
      let id = known.get(el);
      if (id === undefined || Number(id.slice(1)) >= limits.next) {
        id = `e${next++}`;
        known.set(el, id);
        alive.set(id, new WeakRef(el));
      }
      const seen = meet(box, clip);
      const visible = area(seen) > 0;
      elements.push({
        element_id: id, kind, role,
        name: cut(name(el), 160),
        value: cut(valueOf(el, kind), 160),
        options: el instanceof HTMLSelectElement
          ? [...el.options].slice(0, 60).map((o) => cut(fold(o.label), 120)) : [],
        checked: checkedOf(el), disabled: disabled(el), in_viewport: visible,
        box: visible ? { x: round(seen.left), y: round(seen.top),
          width: round(seen.right - seen.left), height: round(seen.bottom - seen.top) } : null,
      });
    }
    function reachable(rect) {
      return rect.width > 0 && rect.height > 0 &&
        rect.right + scrollX > 0 && rect.bottom + scrollY > 0;
    }
    function fieldText(el) {
      if (el instanceof HTMLSelectElement) return valueOf(el, "choice");
      if (el instanceof HTMLTextAreaElement) return el.value || el.placeholder;
      if (!(el instanceof HTMLInputElement)) return "";
      if (["checkbox", "radio", "range", "color", "image", "hidden", "file"].includes(el.type)) return "";
      if (["submit", "button", "reset"].includes(el.type)) return name(el);
      return valueOf(el, "field") || el.placeholder;
    }

    // Text may overflow its box, but not by more than FAR: boxes further away are not measured.
    const FAR = 1000;
    const near = (r) => r.bottom > -FAR && r.top < innerHeight + FAR;
    const first = { clip: screen(), block: document.documentElement, cursor: "auto",
      inControl: false, near: true, style: null };
    const stack = document.documentElement ? [[document.documentElement, first]] : [];
    while (stack.length) {
      const [node, around] = stack.pop();
      if (++visited > limits.nodes) break;
      const { clip, block, cursor, inControl } = around;
      if (node.nodeType === Node.TEXT_NODE) {
        if (!around.near || !around.style || area(clip) <= 0) continue;
        const el = parent(node);
        around.shown ??= shown(el);
        if (around.shown) addText(node, el, around.style, clip, block);
        continue;
      }
      if (node.nodeType !== Node.ELEMENT_NODE) continue;
      const el = node;
      if (["SCRIPT", "STYLE", "NOSCRIPT", "TEMPLATE", "HEAD", "TITLE"].includes(el.tagName)) continue;
      const style = getComputedStyle(el);
      if (style.display === "none") continue;
      if (el.localName === "br") {
        gap = "\n";
        continue;
      }
      const rect = el.getBoundingClientRect();
      const inline = style.display.startsWith("inline") || style.display === "contents" ||
        style.display.startsWith("ruby");
      const here = inline ? block : el;
      if (style.display.startsWith("inline-") && last === block && !gap) gap = " ";
      let outer = clip;
      if (style.position === "fixed") outer = screen();
      else if (style.position === "absolute") outer = clips.get(el.offsetParent) ?? screen();
      let inner = outer;
      if (style.overflowX !== "visible" || style.overflowY !== "visible")
        if (el !== document.documentElement && el !== document.body) inner = meet(outer, rect);
      clips.set(el, inner);

      let found = inControl ? null : kindOf(el, style, cursor);
      if (found && (shown(el) || (found[0] === "choice" && reachable(rect))) && reachable(rect))
        addControl(el, rect, found[0], found[1], outer);
      else found = null;
      if (el instanceof HTMLLabelElement && el.control && !inControl && reachable(rect) && shown(el)) {
        const target = el.control.getBoundingClientRect();
        const kind = kindOf(el.control, getComputedStyle(el.control), "pointer");
        if (kind && (!reachable(target) || getComputedStyle(el.control).display === "none"))
          addControl(el.control, rect, kind[0], kind[1], outer);
      }
      const typed = fieldText(el);
      if (typed && area(meet(rect, outer)) > 0 && shown(el) && !covered(el, [meet(rect, outer)])) {
        if (last === block && !gap) gap = " ";
        emit(fold(typed), block);
        gap = gap || " ";
      }
      if (["SELECT", "TEXTAREA", "IFRAME", "FRAME", "OBJECT", "VIDEO", "AUDIO", "CANVAS"].includes(el.tagName))
        continue;
      let children = el.shadowRoot ? el.shadowRoot.childNodes : el.childNodes;
      if (el instanceof HTMLSlotElement) {
        const assigned = el.assignedNodes();
        if (assigned.length) children = assigned;
      }
      const below = { clip: inner, block: here, cursor: found ? "pointer" : style.cursor,
        inControl: inControl || (found !== null && found[1] !== "clickable"),
        near: style.display === "contents" ? around.near : near(rect), style };
      for (let i = Math.min(children.length, limits.nodes) - 1; i >= 0; i--)
        stack.push([children[i], below]);
    }
    if (stack.length) {
      const all = document.querySelectorAll(NATIVE).length;
      leftOut += Math.max(0, all - elements.length - leftOut);
    }
    const root = document.scrollingElement ?? document.documentElement ??
      { scrollTop: 0, scrollHeight: innerHeight };
    return {
      title: cut(fold(document.title), 300), text: lines.join(""), elements, left_out: leftOut, next,
      truncated: stack.length > 0,
      scroll: { top: root.scrollTop, page_height: root.scrollHeight, viewport_height: innerHeight },
      inner_scroll: innerScroller()?.scrollTop ?? 0,
      frames: document.querySelectorAll("iframe,frame,object").length,
    };
  }

  // --- aiming --------------------------------------------------------------------------------
  function deepest(x, y) {
    let hit = document.elementFromPoint(x, y);
    while (hit?.shadowRoot) {
      const deeper = hit.shadowRoot.elementFromPoint(x, y);
      if (!deeper || deeper === hit) break;
      hit = deeper;
    }
    return hit;
  }
  const labelled = (hit, el) => {
    for (let node = hit; node; node = parent(node))
      if (node instanceof HTMLLabelElement && node.control === el) return true;
    return false;
  };
  function get(id) {
    const el = alive.get(id)?.deref();
    return el?.isConnected ? el : null;
  }
  function surface(el) {
    const rects = [...el.getClientRects()].filter((r) => r.width > 0 && r.height > 0);
    if (rects.length && getComputedStyle(el).visibility === "visible") return rects;
    const label = [...(el.labels ?? [])].find((l) => l.getClientRects().length);
    return label ? [...label.getClientRects()] : [];
  }
  function candidates(el) {
    const points = [];
    for (const r of surface(el).slice(0, 6)) {
      const seen = meet({ left: r.left, top: r.top, right: r.right, bottom: r.bottom }, screen());
      if (area(seen) <= 0) continue;
      const w = seen.right - seen.left, h = seen.bottom - seen.top;
      for (const [u, v] of [[.5, .5], [.25, .5], [.75, .5], [.5, .25], [.5, .75]])
        points.push([seen.left + u * w, seen.top + v * h]);
    }
    return points;
  }
  function pointAt(el) {
    let cover = null;
    for (const [x, y] of candidates(el)) {
      const hit = deepest(x, y);
      if (hit && (within(hit, el) || labelled(hit, el))) return { x, y };
      cover ??= hit;
    }
    return { cover };
  }
  // Frames may not come, as in a frame that is not drawn.
  const nextFrame = () => Promise.race([
    new Promise((done) => requestAnimationFrame(done)),
    new Promise((done) => setTimeout(done, 100)),
  ]);
  // A page may answer to being scrolled by moving what was scrolled to, as one that grows at its
  // end does. Scroll events come with the next frame, what they change is laid out by the one after.
  async function reached(el) {
    let found = pointAt(el);
    for (let tries = 0; found.x === undefined && tries < 20; tries++) {
      el.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
      const stood = el.getBoundingClientRect();
      await nextFrame();
      await nextFrame();
      found = pointAt(el);
      const stands = el.getBoundingClientRect();
      if (stands.top === stood.top && stands.left === stood.left) break;
    }
    return found;
  }
  async function aim(id) {
    view = null;
    const el = get(id);
    if (!el) return { status: "detached" };
    if (disabled(el)) return { status: "disabled" };
    const found = await reached(el);
    if (!el.isConnected) return { status: "detached" };
    if (found.x === undefined)
      return { status: "covered", detail: found.cover ? describe(found.cover) : "" };
    const link = el.closest?.("a[href],area[href]");
    return {
      status: "ok", x: found.x, y: found.y, href: link ? link.href : "",
      tag: el.localName, type: el.type ?? "", field: fieldName(el), editable: el.isContentEditable,
      path: location.pathname, readonly: el.readOnly === true,
      checkable: el instanceof HTMLInputElement && ["checkbox", "radio"].includes(el.type),
      native: el.closest?.(`${NATIVE},label`) != null,
      submits: el instanceof HTMLButtonElement || (el instanceof HTMLInputElement &&
        ["submit", "image"].includes(el.type)),
    };
  }
  const fieldName = (el) => attribute(el, "name") || attribute(el, "id");
  function hitFrame(x, y) {
    const hit = deepest(x, y);
    return hit && !["IFRAME", "FRAME", "OBJECT"].includes(hit.tagName) ? describe(hit) : "";
  }
  function announce(el) {
    el.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
    el.dispatchEvent(new Event("change", { bubbles: true }));
  }
  function select(id, wanted) {
    const el = get(id);
    if (!(el instanceof HTMLSelectElement)) return false;
    const index = [...el.options].findIndex(
      (o) => !o.disabled && (fold(o.label) === wanted || o.value === wanted));
    if (index < 0) return false;
    el.selectedIndex = index;
    announce(el);
    return true;
  }
  function assign(id, value) {
    const el = get(id);
    if (!el) return false;
    el.focus();
    el.value = value;
    announce(el);
    return true;
  }
  function focusAll(id) {
    const el = get(id);
    if (!el) return false;
    el.focus();
    if (el.select) el.select();
    else getSelection().selectAllChildren(el);
    return true;
  }
  const node = (id) => get(id);
  function focus(id) {
    const el = get(id);
    el?.focus();
    return !!el;
  }
  function submit(id) {
    const el = get(id);
    const form = el?.form ?? el?.closest?.("form");
    if (!form) return { form: false };
    const button = [...form.elements].find((c) => !disabled(c) &&
      ((c instanceof HTMLButtonElement && c.type === "submit") ||
        (c instanceof HTMLInputElement && ["submit", "image"].includes(c.type))));
    if (button && surface(button).length) {
      let known_id = known.get(button);
      if (known_id === undefined) {
        known_id = `s${alive.size}`;
        alive.set(known_id, new WeakRef(button));
      }
      return { form: true, button: known_id };
    }
    form.requestSubmit();
    return { form: true };
  }

  // --- moving and waiting --------------------------------------------------------------------
  function innerScroller() {
    const root = document.scrollingElement ?? document.documentElement;
    if (!root) return null;
    if (root.scrollHeight > innerHeight + 1 && getComputedStyle(root).overflowY !== "hidden") return null;
    let node = deepest(innerWidth / 2, innerHeight / 2);
    for (; node; node = parent(node)) {
      if (node === root || node === document.body) continue;
      const flow = getComputedStyle(node).overflowY;
      if ((flow === "auto" || flow === "scroll") && node.scrollHeight > node.clientHeight + 1) return node;
    }
    return null;
  }
  function scroll(direction) {
    const target = innerScroller() ?? document.scrollingElement ?? document.documentElement;
    if (!target) return false;
    const before = target.scrollTop;
    const height = target === document.scrollingElement ? innerHeight : target.clientHeight;
    target.scrollBy({ top: direction * Math.round(height * 0.85), behavior: "instant" });
    return target.scrollTop !== before;
  }
  let hiding = null;
  function hideCaret() {
    let el = document.activeElement;
    while (el?.shadowRoot?.activeElement) el = el.shadowRoot.activeElement;
    if (!el || el === document.body || el === hiding) return;
    hiding = el;
    el.animate([{ caretColor: "transparent" }, { caretColor: "transparent" }],
      { duration: 1e9, fill: "both" });
  }
  // Words are not drawn before their typeface is there: a picture without it shows none of them.
  // Typefaces are waited for up to `longest`, all else up to `cap`.
  let birth = globalThis.birth ?? null;
  function calm(still, cap, longest) {
    return new Promise((resolve) => {
      const start = performance.now();
      let touched = birth ? birth.touched : start, drawn = false, over = null;
      const watch = new MutationObserver(() => { touched = performance.now(); });
      watch.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
      birth?.watch.disconnect();
      birth = null;
      const ready = () => document.readyState === "complete" && document.fonts.status === "loaded" &&
        [...document.images].every((i) => i.complete || i.loading === "lazy");
      const answer = () => resolve({ quiet: over, drawn });
      requestAnimationFrame(() => {
        drawn = true;
        if (over !== null) answer();
      });
      const look = () => {
        const now = performance.now();
        const done = ready();
        if (!done) touched = now;
        const most = document.fonts.status === "loading" ? longest : cap;
        if ((done && now - touched >= still) || now - start >= most) {
          watch.disconnect();
          over = done && now - touched >= still;
          if (drawn) answer();
          else setTimeout(answer, 200);
        } else setTimeout(look, Math.min(Math.ceil(still - (now - touched)), 50));
      };
      look();
    });
  }
  // With `limits`, the answer holds what `read` finds in the moment that the quiet is over.
  async function quiet(still, cap, longest, limits) {
    const answer = await calm(still, cap, longest);
    // Not before: a page gives a field the focus whenever it likes.
    hideCaret();
    return { ...answer, found: answer.quiet && limits ? read(limits) : null };
  }
  const size = () => [innerWidth, innerHeight];
  return {
    read, size, aim, hitFrame, select, assign, node, focus, focusAll, submit, scroll, quiet,
  };
})())
