"""Generators of pages and pictures in docs/."""
