"""Relaxations of Yang et al. (2024), and bounds that they prove."""
