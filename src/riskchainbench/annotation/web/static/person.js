// The page on which a person answers as a system does: areas drawn on a screenshot, controls and
// words chosen at their step go into the next free row of evidence, which may be typed as well.
(() => {
  "use strict";
  // How long is left, counted down here; the run's own clock decides.
  for (const timer of document.querySelectorAll("[data-left]")) {
    const end = performance.now() + 1000 * Number(timer.dataset.left);
    const tell = () => {
      const left = Math.max(0, Math.round((end - performance.now()) / 1000));
      timer.textContent = timer.dataset.told.replace("{n}", String(left));
    };
    tell();
    setInterval(tell, 1000);
  }

  const rows = [...document.querySelectorAll("[data-row]")];
  const part = (row, name) => row.querySelector(`[name^="${name}"]`);
  function cite(step, kind, what) {
    const row = rows.find((each) => !part(each, "what").value) || rows.at(-1);
    part(row, "step").value = String(step);
    part(row, "kind").value = kind;
    part(row, "what").value = what;
    row.hidden = false;
    row.classList.add("new");
    setTimeout(() => row.classList.remove("new"), 900);
    const told = document.getElementById("cited");
    told.textContent = told.dataset.told.replace("{n}", String(rows.indexOf(row) + 1)).replace("{what}", what);
    reveal();
  }
  // One empty row more than are used.
  function reveal() {
    const used = rows.findLastIndex((row) => part(row, "what").value) + 1;
    rows.forEach((row, at) => { row.hidden = at > used; });
  }
  document.addEventListener("input", reveal);
  if (rows.length) reveal();

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-cite]");
    if (!button) return;
    const step = button.dataset.step;
    if (button.dataset.cite === "element") cite(step, "element", button.dataset.what);
    else {
      const words = String(getSelection()).trim().replace(/\s+/g, " ");
      if (words) cite(step, "quote", words.slice(0, 400));
    }
  });

  const STEP = 16;
  for (const board of document.querySelectorAll(".markable")) {
    const size = { width: Number(board.dataset.width), height: Number(board.dataset.height) };
    const box = board.querySelector("i");
    let mark = null;
    let from = null;
    function draw() {
      box.hidden = !mark;
      if (!mark) return;
      const factor = board.clientWidth / size.width;
      for (const [name, value] of [["left", mark.x], ["top", mark.y], ["width", mark.w], ["height", mark.h]]) {
        box.style[name] = `${value * factor}px`;
      }
    }
    function place(event) {
      const around = board.getBoundingClientRect();
      const factor = size.width / around.width;
      const inside = (value, most) => Math.max(0, Math.min(most, value));
      return {
        x: inside((event.clientX - around.left) * factor, size.width),
        y: inside((event.clientY - around.top) * factor, size.height),
      };
    }
    function take() {
      if (!mark || mark.w < 4 || mark.h < 4) return;
      const [x, y, w, h] = [mark.x, mark.y, mark.w, mark.h].map(Math.round);
      cite(board.dataset.step, "box", `${x}, ${y}, ${Math.min(w, size.width - x)}, ${Math.min(h, size.height - y)}`);
    }
    board.addEventListener("pointerdown", (event) => { from = place(event); mark = null; board.setPointerCapture(event.pointerId); });
    board.addEventListener("pointermove", (event) => {
      if (!from) return;
      const to = place(event);
      mark = { x: Math.min(from.x, to.x), y: Math.min(from.y, to.y), w: Math.abs(from.x - to.x), h: Math.abs(from.y - to.y) };
      draw();
    });
    board.addEventListener("pointerup", () => { from = null; take(); });
    board.addEventListener("keydown", (event) => {
      const ways = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, -STEP], ArrowDown: [0, STEP] };
      const way = ways[event.key];
      if (event.altKey || event.ctrlKey || event.metaKey || !(way || event.key === "Enter" || event.key === "Delete")) return;
      event.preventDefault();
      const most = (value, low, high) => Math.max(low, Math.min(high, value));
      if (event.key === "Delete") mark = null;
      else if (!mark) mark = { x: (size.width - 320) / 2, y: (size.height - 160) / 2, w: 320, h: 160 };
      else if (event.key === "Enter") take();
      else if (event.shiftKey) {
        mark.w = most(mark.w + way[0], STEP, size.width - mark.x);
        mark.h = most(mark.h + way[1], STEP, size.height - mark.y);
      } else {
        mark.x = most(mark.x + way[0], 0, size.width - mark.w);
        mark.y = most(mark.y + way[1], 0, size.height - mark.h);
      }
      draw();
    });
  }
})();
