// Builds a list of titled items from the JSON that the page carries.
for (const place of document.querySelectorAll("[data-list]")) {
  for (const [title, text] of JSON.parse(place.querySelector("script").textContent)) {
    const item = document.createElement("article");
    item.className = "card";
    const head = document.createElement("h2");
    head.textContent = title;
    const words = document.createElement("p");
    words.textContent = text;
    item.append(head, words);
    place.append(item);
  }
}
