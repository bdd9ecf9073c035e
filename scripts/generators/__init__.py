"""What writes pages and pictures of docs/ from the program."""
