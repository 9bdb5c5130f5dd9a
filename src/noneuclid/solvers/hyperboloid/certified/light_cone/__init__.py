"""The search on the light cone, where all points get one label."""
