"""Conic programs in one standard form: program in, `programs.ConicResult` with a status out."""
