"""Ways in and out for other frameworks and hubs; each is a folder and optional."""
