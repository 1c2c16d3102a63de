"""Any model behind any provider, called through Inspect AI's model interface.

The optional packages of the extra `models` are imported only when a model is first called.
Inspect's own runs, logs, retries and caches are not used: this project's store is the truth.
"""
