"""The fixtures of the judging tests."""

from judging_run import benchmark_bundle, conclusion, run, trajectory

__all__ = ["benchmark_bundle", "conclusion", "run", "trajectory"]
