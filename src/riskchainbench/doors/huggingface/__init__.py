"""A bundle as a data set for Hugging Face: Parquet files, a data card and Croissant metadata.

Writes files only; nothing is uploaded. Needs the extra `export` (DuckDB).
"""
