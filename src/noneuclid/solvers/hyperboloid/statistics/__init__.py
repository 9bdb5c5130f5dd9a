"""Fréchet means and wrapped normal distributions."""
