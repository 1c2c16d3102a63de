// Notes when a document last changed, from its first moment until page.js takes over: a wait for
// quiet that begins late then need not begin anew. Runs in the reader's isolated world.
if (globalThis === globalThis.top) {
  const touch = () => { globalThis.birth.touched = performance.now(); };
  const watch = new MutationObserver(touch);
  globalThis.birth = { touched: 0, watch };
  watch.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
  // Loads do not bubble; every one is seen on its way down.
  addEventListener("load", touch, true);
  document.fonts.addEventListener("loadingdone", touch);
}
