"""Reads the request and does what its mode says. The caller has put nothing of ours on ``sys.path``."""

from __future__ import annotations

import json
import os
import sys

from _repair_probe.ground.report import Report
from _repair_probe.ground.words import TYPE_CHECKING

if TYPE_CHECKING:
    from _repair_probe.ground.words import Fields


def main(request_path: str) -> None:
    """Serve the request and end the process with its status."""
    with open(request_path, "rb") as stream:
        request = json.loads(stream.read().decode("utf-8"))
    os.unlink(request_path)
    report = Report(request["report_fd"])
    _start_like_pytest(request)
    mode = request["mode"]
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
        from _repair_probe.serve.questions import compile_files

        status = compile_files(request, report)
    else:
        from _repair_probe.serve.questions import import_modules

        status = import_modules(request, report)
    sys.exit(status)


def _start_like_pytest(request: Fields) -> None:
    """``python -m pytest`` has the absolute current folder first on the path; so have we."""
    from _repair_probe.ground.paths import redirect

    sys.path[0] = os.getcwd()
    redirect(request["original"], request["root"])
