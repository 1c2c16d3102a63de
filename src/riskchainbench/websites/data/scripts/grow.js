// Shows further groups of a list whenever the visitor scrolls near the end of the page.
window.addEventListener("scroll", () => {
  const page = document.documentElement;
  const atEnd = () => window.scrollY + window.innerHeight >= page.scrollHeight - 160;
  for (const group of document.querySelectorAll("[data-grows] > [hidden]")) {
    if (!atEnd()) break;
    group.hidden = false;
  }
});
