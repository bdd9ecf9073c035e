"""Simulated people, tables and parts: for tests, and for scripts that play or measure."""
