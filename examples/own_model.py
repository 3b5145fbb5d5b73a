"""A function of the host's own proposes: ``python own_model.py PROJECT``.

It is given all that a model would be asked, and replies in the plain form of docs/model.md. This one knows a single
trick; a real one calls whatever model the host has. What it says is judged like the text of any stranger.
"""

import re
import sys

import repair


def propose(question: str) -> str:
    """The first ``>`` of the function that is asked about, as ``>=``."""
    found = re.search(r"(\w+) > (\w+)", question)
    if found is None:
        return "WHY: nothing to say\nEND."
    old, new = found[0], f"{found[1]} >= {found[2]}"
    return f"WHY: the limit itself belongs to it\n```python update `{old}`\n{new}\n```\nEND."


def main(root: str) -> None:
    """Print the patch, who made it, and the word."""
    result = repair.fix(root=root, proposer=("model",), propose=propose, max_seconds=60)
    for patch in result.patches[:1]:
        print(f"by {patch.proposer}:\n{patch.diff}")
    print(result.status)


if __name__ == "__main__":
    main(sys.argv[1])
