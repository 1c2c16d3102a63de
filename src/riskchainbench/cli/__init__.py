"""The command line: one file per verb, no logic. `app.main` is the command `riskchain`."""
