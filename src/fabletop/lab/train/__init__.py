"""Training of the learned players: `python -m fabletop.lab.train GAME`. docs/learning.md says how it works."""
