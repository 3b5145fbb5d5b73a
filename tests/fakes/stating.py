"""Small projects that state something, as files below a folder."""

from pathlib import Path

from repair.survey.specified.scan import ScannedProject, scan_project
from sandbox.workspace import take_snapshot

SHOP = '''def total(prices, tax=0):
    """Add up. Returns 0 if prices is empty. Raises ValueError if tax is negative."""
    if tax < 0:
        raise ValueError(tax)
    return sum(prices) + tax
'''


def write_project(root: Path, files: dict[str, str | bytes]) -> Path:
    """The files below the root."""
    for name, text in {"pyproject.toml": "", **files}.items():
        place = root / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text if isinstance(text, bytes) else text.encode())
    return root


def scanned(root: Path, files: dict[str, str | bytes]) -> ScannedProject:
    """What is read of the project."""
    write_project(root / "project", files)
    return scan_project(take_snapshot(str(root / "project"), root / "copy"))


def claims(found: ScannedProject) -> list[str]:
    """What is claimed, one line each."""
    return [fact.claim for fact in found.facts]
