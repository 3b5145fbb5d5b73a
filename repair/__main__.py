"""``python -m repair``: the same as the ``repair`` command."""

import sys

from _repair_launcher import main

if __name__ == "__main__":
    sys.exit(main(ours=True))
