// Tells what the page has to say before it is read.
if (document.body.dataset.say) window.alert(document.body.dataset.say);
