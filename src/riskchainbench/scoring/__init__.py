"""Pure functions over frozen runs: the one place where gold labels and predictions meet."""
