"""`python -m wdrop`: the command line."""

from wdrop.cli import main

if __name__ == "__main__":
    main()
