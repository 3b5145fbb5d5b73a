"""Reads the request and does what its mode says. The caller has put nothing of ours on ``sys.path``.

Short questions about the target: does it compile, can it be imported.
"""

from __future__ import annotations

import importlib
import json
import os
import sys

from _repair_probe.ground.report import Report
from _repair_probe.ground.words import TYPE_CHECKING

if TYPE_CHECKING:
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


def main(request_path: str) -> None:
    """Serve the request and end the process with its status."""
    with open(request_path, "rb") as stream:
        request = json.loads(stream.read().decode("utf-8"))
    os.unlink(request_path)
    report = Report(request["report_fd"])
    _start_like_pytest(request)
    mode = request["mode"]
    if mode not in ("run", "warm", "zygote"):  # these have a first word of their own
        report.event("begun")
    if mode == "run":
        from _repair_probe.session.run import run

        status = run(request, report)
    elif mode == "warm":
        from _repair_probe.serve.warm import serve

        status = serve(request, report)
    elif mode == "zygote":
        from _repair_probe.serve.zygote import serve

        status = serve(request, report)
    elif mode == "apart":
        from _repair_probe.compare.isolated_call import answer

        status = answer(request, report)
    elif mode == "compile":
        status = compile_files(request, report)
    else:
        status = import_modules(request, report)
    sys.exit(status)


def _start_like_pytest(request: Fields) -> None:
    """``python -m pytest`` has the absolute current folder first on the path; so have we."""
    from _repair_probe.ground.paths import redirect

    sys.path[0] = os.getcwd()
    redirect(request["original"], request["root"])
