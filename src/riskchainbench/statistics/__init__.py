"""Statistics on plain arrays: agreement, resampling, tests. Nothing about websites."""
