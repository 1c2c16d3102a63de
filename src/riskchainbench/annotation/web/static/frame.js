// Runs in a visited website, inside a sandboxed frame: blurs images, hands over the page state
// when the workbench asks, and tells of scrolling and typing. It can reach nothing of the
// workbench, and what is typed stays here: only the field's name is told.
(() => {
  const root = document.documentElement;
  root.classList.add("riskchain-blurred");
  addEventListener("message", (event) => {
    if (event.source !== parent || typeof event.data !== "object" || event.data === null) return;
    if (event.data.ask === "images") {
      root.classList.toggle("riskchain-blurred", !event.data.shown);
      root.classList.toggle("riskchain-shown", !!event.data.shown);
    }
    if (event.data.ask === "state") {
      const copy = root.cloneNode(true);
      const fields = document.querySelectorAll("input, textarea, select");
      copy.querySelectorAll("input, textarea, select").forEach((field, index) => {
        const live = fields[index];
        if (field.tagName === "TEXTAREA") field.textContent = live.value;
        else if (field.tagName === "SELECT") {
          [...field.options].forEach((option, place) =>
            option.toggleAttribute("selected", live.options[place].selected));
        } else {
          field.setAttribute("value", live.value);
          field.toggleAttribute("checked", live.checked);
        }
      });
      parent.postMessage({
        told: "state", html: "<!doctype html>" + copy.outerHTML, path: location.pathname,
        top: Math.round(scrollY), words: String(getSelection()).slice(0, 400),
      }, "*");
    }
  });
  function tell(event) { parent.postMessage({ told: "event", path: location.pathname, ...event }, "*"); }
  let resting = 0;
  addEventListener("scroll", () => {
    clearTimeout(resting);
    resting = setTimeout(() => tell({ kind: "scroll", top: Math.round(scrollY) }), 250);
  }, { passive: true });
  const typing = new Map();
  addEventListener("input", (event) => {
    const field = event.target.name || event.target.id || event.target.tagName.toLowerCase();
    clearTimeout(typing.get(field));
    typing.set(field, setTimeout(() => { typing.delete(field); tell({ kind: "input", field }); }, 400));
  }, true);
  // A tab would stand outside the frame, and the frame shows no dialogs: what would open a tab
  // opens here, and what a dialog says is handed over and accepted.
  window.open = (address) => { if (address) location.assign(address); return null; };
  addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a[target], area[target]") : null;
    if (link) link.target = "_self";
  }, true);
  addEventListener("submit", (event) => { event.target.target = "_self"; }, true);
  const said = (words) => parent.postMessage({ told: "dialog", words: String(words).slice(0, 300) }, "*");
  window.alert = (words = "") => said(words);
  window.confirm = (words = "") => { said(words); return true; };
  window.prompt = (words = "", given = "") => { said(words); return String(given); };
  // The keys that lead out of the frame, so that no website holds who works by keyboard.
  addEventListener("keydown", (event) => {
    if (!event.altKey || event.ctrlKey || event.metaKey || !/^Key[CEIJ]$/.test(event.code)) return;
    event.preventDefault();
    parent.postMessage({ told: "key", code: event.code }, "*");
  }, true);
  addEventListener("pagehide", () => {
    for (const [field, timer] of typing) { clearTimeout(timer); tell({ kind: "input", field }); }
  });
  parent.postMessage({ told: "ready", path: location.pathname }, "*");
})();
