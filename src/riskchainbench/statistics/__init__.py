"""Statistics on plain arrays: agreement, resampling, tests and intervals. Nothing about websites."""
