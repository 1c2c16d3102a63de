"""`python -m riskchainbench.cli`: the command line without its script."""

from riskchainbench.cli.app import main

if __name__ == "__main__":
    main()
