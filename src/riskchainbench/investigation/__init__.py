"""Task 2: prompts, the agent loop, trajectories, the conclusion stage and its validator."""
