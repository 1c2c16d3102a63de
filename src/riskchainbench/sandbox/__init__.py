"""The sandbox: websites served on loopback, each episode on a random host name of its own."""
