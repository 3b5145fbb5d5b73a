"""Mend what fails in a project, and print the patch with the question that is left: ``python fix.py PROJECT``."""

import sys

import repair


def hear(event: repair.Event) -> None:
    """Each phase, as it begins."""
    if event.type == "phase":
        print(f"  {dict(event.fields)['detail']}", file=sys.stderr)


def main(root: str) -> str:
    """The word of the run; nothing in the project is changed."""
    result = repair.fix(root=root, max_seconds=60, timeout=120, on_event=hear)
    for patch in result.patches[:1]:
        print(patch.diff)
        for question in patch.questions:
            print(f"open: {question}")
    print(result.status)
    return result.status


if __name__ == "__main__":
    main(sys.argv[1])
