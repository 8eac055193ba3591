"""The command line: parses and prints, decides nothing."""

import os
import sys

INSTALL_HINT = "install it with: pip install 'wdrop[cli,report,study,data]'"


def main() -> None:
    """The entry of the `wdrop` command."""
    # Threads that wait for each other in a busy loop cost ten times as much on a machine with other work to do.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    try:
        from wdrop.cli.app import run
    except ModuleNotFoundError as missing:
        if missing.name not in ("typer", "rich"):
            raise
        sys.stderr.write(f"wdrop: the command line needs {missing.name}; {INSTALL_HINT}\n")
        sys.exit(2)
    run()
