"""Whether a judge can be believed: planted faults in matched pairs, asked twice."""
