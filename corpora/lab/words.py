"""`make words`: the page of words that answers use, from the texts of `repair help`."""

from __future__ import annotations

from pathlib import Path

from repair.show.help_words import PAGE, page

ROOT = Path(__file__).parents[2]


def main() -> None:
    """Write the page."""
    (ROOT / PAGE).write_text(page(), "utf-8")


if __name__ == "__main__":
    main()
