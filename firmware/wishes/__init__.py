"""What people want to be changed, at whichever door: each wish is data, and one desk decides about it."""
