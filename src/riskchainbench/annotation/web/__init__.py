"""The workbench: pages for annotators and coordinators, and the websites in frames beside them.

Nothing here decides anything about judgments; `annotation.project` does.
"""
