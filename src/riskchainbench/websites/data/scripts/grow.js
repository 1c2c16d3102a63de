// Shows the next group of a list whenever the visitor scrolls near the end of the page.
window.addEventListener("scroll", () => {
  const page = document.documentElement;
  if (window.scrollY + window.innerHeight < page.scrollHeight - 160) return;
  const next = document.querySelector("[data-grows] > [hidden]");
  if (next) next.hidden = false;
});
