"""Images that the user names: which one is meant, and the Python in it. Nothing is fetched."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from subprocess import CompletedProcess

from sandbox.request import OLDEST

Ask = Callable[..., "CompletedProcess[bytes]"]
"""Runs a container engine's client with these words and gives how it ended."""

_FOUND = """
for name in "$@"; do
    python=$(command -v "$name") || continue
    "$python" -c 'import sys; print("%d %d" % sys.version_info[:2])' && echo "$python" && exit
done
exit 9
"""
_NAMES = ("python3", "python")


@dataclass(frozen=True, slots=True)
class Image:
    """An image that brings the target's interpreter and its packages along. ``digest`` is what is run: a name may mean
    another image tomorrow."""

    name: str
    digest: str
    python: str


def identify_image(name: str, ask: Ask) -> tuple[str, str]:
    """The digest of the image of that name, and empty; or empty and what is wrong with it."""
    if name.startswith("-"):
        return "", f"{name!r} is no name of an image"
    asked = ask("image", "inspect", name)
    if asked.returncode != 0:
        return "", f"it has no image {name!r}, or does not answer: {last_line(asked.stderr)}"
    try:
        described = json.loads(asked.stdout)[0]
        digest, volumes = str(described["Id"]), sorted((described.get("Config") or {}).get("Volumes") or ())
    except (ValueError, LookupError, TypeError, AttributeError):
        return "", f"it does not describe the image {name!r} as others do"
    if volumes:
        return "", f"the image {name!r} declares volumes, which no limit bounds: {', '.join(volumes)}"
    return digest, ""


def python_in(words: Sequence[str], digest: str, python: str, ask: Ask) -> tuple[str, str]:
    """The path of the Python in the image, and empty; or empty and what is wrong.

    ``words`` start a container with walls; ``python`` is the path or the name to look for, empty for the usual ones.
    """
    shell = ("--entrypoint", "/bin/sh", digest, "-c", _FOUND, "sh")
    asked = ask("run", "--rm", *words, *shell, *([python] if python else _NAMES))
    said = asked.stdout.decode("utf-8", "replace").split("\n")
    if asked.returncode == 9:
        return "", f"there is no {python or 'Python'} in the image"
    if asked.returncode != 0:
        return "", f"it starts no container of the image: {last_line(asked.stderr)}"
    if len(said) < 2 or not said[0].replace(" ", "").isdigit():
        return "", "what is to be the image's Python does not say its version"
    version = tuple(map(int, said[0].split(" ")))
    if version < OLDEST:
        least = ".".join(map(str, OLDEST))
        return "", f"the image's Python {said[0].replace(' ', '.')} is older than {least}"
    return said[1], ""


def last_line(said: bytes) -> str:
    """The last line of what a client said."""
    lines = said.decode("utf-8", "replace").strip().splitlines()
    return lines[-1][:300] if lines else ""
