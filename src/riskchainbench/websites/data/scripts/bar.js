// Hides a notice bar for the rest of the visit, in every tab.
for (const button of document.querySelectorAll("[data-hide]")) {
  const bar = document.getElementById(button.dataset.hide);
  const key = "hidden-" + button.dataset.hide;
  const store = (() => {
    try { return window.localStorage; } catch { return null; }
  })();
  if (store && store.getItem(key)) bar.hidden = true;
  button.addEventListener("click", () => {
    bar.hidden = true;
    if (store) store.setItem(key, "1");
  });
}
