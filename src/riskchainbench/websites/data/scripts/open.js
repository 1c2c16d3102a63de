// Opens marked links in a window of their own.
for (const link of document.querySelectorAll("[data-open]")) {
  link.addEventListener("click", (event) => {
    event.preventDefault();
    window.open(link.href);
  });
}
