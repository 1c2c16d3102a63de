"""Readers of archive formats: each yields `exchange.Exchange` values and follows no reference."""
