"""Phones at the table: who has joined, what each may answer and sees, their pages, and the server for them."""
