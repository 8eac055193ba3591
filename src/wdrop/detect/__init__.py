"""SqueezeDet whose boxes carry uncertainty."""
