"""RiskChainBench: obfuscated message restoration and evidence-grounded web investigation."""

__version__ = "0.1.0"
