// Sends the visitor on, as the page declares.
if (document.body.dataset.go) window.location.replace(document.body.dataset.go);
