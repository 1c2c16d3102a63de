// The page's shared ground: data chunks, language, and building elements without HTML strings.
(function () {
  "use strict";
  const data = new Map();
  const waiting = new Map();
  const listeners = [];

  // Every script under assets/ or cases/ hands its JSON over here.
  function put(key, json) {
    data.set(key, JSON.parse(json));
  }

  // Load one chunk; the promise gives its value, or is rejected where the file is missing.
  function load(key, path) {
    if (data.has(key)) return Promise.resolve(data.get(key));
    if (!waiting.has(key)) {
      waiting.set(key, new Promise((resolve, reject) => {
        const script = document.createElement("script");
        script.src = path;
        script.onload = () => data.has(key) ? resolve(data.get(key)) : reject(new Error(key));
        script.onerror = () => { waiting.delete(key); reject(new Error(path)); };
        document.head.append(script);
      }));
    }
    return waiting.get(key);
  }

  function language() {
    return document.documentElement.dataset.lang;
  }

  function text(key, values) {
    const entry = (data.get("strings") || {})[key];
    let words = entry ? entry[language()] : key;
    for (const [name, value] of Object.entries(values || {})) {
      words = words.replaceAll("{" + name + "}", String(value));
    }
    return words;
  }

  // Words for a name that may be new: the translation, or the name made readable.
  function label(group, name) {
    if (name === null || name === undefined || name === "") return "–";
    const entry = (data.get("strings") || {})[group + "." + name];
    if (entry) return entry[language()];
    const more = ((data.get("index") || {}).names || {})[group + "." + name];
    return more ? more[language()] || name : String(name).replaceAll("_", " ");
  }

  // A phrase that is told by its English words; a name stays as it is.
  function said(words) {
    const entry = (data.get("strings") || {})["said." + words];
    return entry ? entry[language()] : words;
  }

  // el("p", {class: "x", onclick: f}, "words", child): text is always set as text.
  function el(tag, attributes, ...children) {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
      if (value === null || value === undefined || value === false) continue;
      if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
      else node.setAttribute(name, value === true ? "" : value);
    }
    node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
    return node;
  }

  // A name that a narrow column breaks after a slash rather than in a word.
  function breakable(name) {
    return name.split("/").flatMap((part, at) => at ? ["/", el("wbr"), part] : [part]);
  }

  function say(words) {
    document.getElementById("live").textContent = words;
  }

  function remember(name, value) {
    try { localStorage.setItem("riskchain-" + name, value); } catch { /* storage may be off */ }
  }

  function remembered(name) {
    try { return localStorage.getItem("riskchain-" + name); } catch { return null; }
  }

  window.RCB = {
    put, load, language, text, label, said, el, breakable, say, remember, remembered,
    get: (key) => data.get(key),
    onLanguage: (listener) => listeners.push(listener),
    languageChanged: () => listeners.forEach((listener) => listener()),
  };

  // Theme and language are set before the first paint.
  const root = document.documentElement;
  const theme = remembered("theme");
  if (theme) root.dataset.theme = theme;
  const wanted = remembered("language") || (navigator.language.startsWith("zh") ? "zh" : "en");
  root.dataset.wanted = wanted;
})();
