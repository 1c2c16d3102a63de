"""Proofs and audits that need gold or a browser."""
