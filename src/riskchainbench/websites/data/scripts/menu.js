// Opens and closes the navigation of narrow pages.
for (const button of document.querySelectorAll("[data-menu]")) {
  button.addEventListener("click", () => {
    const menu = document.getElementById(button.dataset.menu);
    menu.hidden = !menu.hidden;
    button.setAttribute("aria-expanded", String(!menu.hidden));
  });
}
