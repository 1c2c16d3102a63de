// The page around the case browser: language, theme, sortable tables.
(function () {
  "use strict";
  const { text, remember } = window.RCB;
  const root = document.documentElement;
  const tags = { en: "en", zh: "zh-CN" };
  const languages = window.RCB.get("index").languages;

  function setLanguage(language) {
    root.dataset.lang = language;
    root.lang = tags[language];
    for (const node of document.querySelectorAll("[data-i18n]")) {
      for (const pair of node.dataset.i18n.split(" ")) {
        const [attribute, key] = pair.split("=");
        node.setAttribute(attribute, text(key));
      }
    }
    document.title = "RiskChainBench · " + text(root.dataset.title || "page.title");
    const button = document.getElementById("language");
    if (button) {
      const other = languages.find((each) => each !== language);
      button.textContent = other === "zh" ? "中文" : "English";
      button.lang = tags[other];
    }
    window.RCB.languageChanged();
  }

  function startLanguage() {
    setLanguage(languages.includes(root.dataset.wanted) ? root.dataset.wanted : languages[0]);
    const button = document.getElementById("language");
    if (!button) return;
    button.hidden = false;
    button.addEventListener("click", () => {
      const next = languages.find((each) => each !== root.dataset.lang);
      remember("language", next);
      setLanguage(next);
    });
  }

  function startTheme() {
    const button = document.getElementById("theme");
    button.hidden = false;
    button.addEventListener("click", () => {
      const dark = root.dataset.theme
        ? root.dataset.theme === "dark"
        : matchMedia("(prefers-color-scheme: dark)").matches;
      root.dataset.theme = dark ? "light" : "dark";
      remember("theme", root.dataset.theme);
    });
  }

  function sortTable(button) {
    const heading = button.closest("th");
    const table = button.closest("table");
    const column = Number(button.dataset.column);
    const byText = Boolean(button.dataset.text);
    const first = byText || button.dataset.better === "lower" ? "ascending" : "descending";
    const now = heading.getAttribute("aria-sort");
    const order = now === "none" ? first : now === "ascending" ? "descending" : "ascending";
    for (const other of table.querySelectorAll("th[aria-sort]")) other.setAttribute("aria-sort", "none");
    heading.setAttribute("aria-sort", order);
    const sign = order === "ascending" ? 1 : -1;
    const value = (row) => byText ? row.cells[0].textContent : row.cells[column].dataset.sort;
    for (const body of table.tBodies) {
      const rows = [...body.rows].sort((a, b) => {
        const [x, y] = [value(a), value(b)];
        if (byText) return sign * x.localeCompare(y);
        if (x === "" || y === "") return (x === "") - (y === "");
        return sign * (Number(x) - Number(y));
      });
      body.append(...rows);
    }
  }

  // What goes on past the right edge fades there, until it is scrolled into view.
  function markEdge(node) {
    node.classList.toggle("more", node.scrollLeft + node.clientWidth < node.scrollWidth - 2);
  }

  const sizes = new ResizeObserver((entries) => entries.forEach((entry) => markEdge(entry.target)));
  window.RCB.watchEdges = (place) => place.querySelectorAll(".scroll").forEach((node) => sizes.observe(node));
  window.RCB.watchEdges(document);
  document.addEventListener("scroll", (event) => {
    if (event.target.classList && event.target.classList.contains("scroll")) markEdge(event.target);
  }, { capture: true, passive: true });

  startLanguage();
  startTheme();
  document.addEventListener("click", (event) => {
    const button = event.target.closest(".sort");
    if (button) sortTable(button);
  });
})();
