"""Short questions about the target: does it compile, can it be imported."""

from __future__ import annotations

import importlib
import os

from _repair_probe.ground.words import TYPE_CHECKING

if TYPE_CHECKING:
    from _repair_probe.ground.report import Report
    from _repair_probe.ground.words import Fields


def compile_files(request: Fields, report: Report) -> int:
    """One ``answer`` event: the message for the first file that this interpreter refuses, else empty."""
    message = ""
    for path in request["files"]:
        try:
            with open(os.path.join(request["root"], path), "rb") as stream:
                compile(stream.read(), path, "exec", dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError) as problem:
            message = "%s: %s: %s" % (path, type(problem).__name__, str(problem)[:500])
            break
    report.event("answer", message=message, nonce=request["nonce"])
    return 0


def import_modules(request: Fields, report: Report) -> int:
    """One ``answer`` event: those of the modules that can be imported here and now."""
    found = []
    for name in request["modules"]:
        try:
            importlib.import_module(name)
        except BaseException:  # a module may even exit while it is imported
            continue
        found.append(name)
    report.event("answer", found=found, nonce=request["nonce"])
    return 0
