// Shows the part of a page that a tab names, and hides the others beside it.
for (const tab of document.querySelectorAll("[data-tab]")) {
  tab.addEventListener("click", () => {
    for (const other of tab.parentElement.querySelectorAll("[data-tab]")) {
      const chosen = other === tab;
      other.setAttribute("aria-pressed", String(chosen));
      document.getElementById(other.dataset.tab).hidden = !chosen;
    }
  });
}
