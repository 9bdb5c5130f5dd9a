"""Wrapped normal distributions."""
