"""What found boxes are worth, on pictures as they are and on worse ones."""
