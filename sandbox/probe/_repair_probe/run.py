"""One ordinary pytest session, observed."""

import sys

from _repair_probe.paths import leaked


def start(request, report):
    """Import pytest and say who is running; ``None`` where the target has no pytest."""
    try:
        import pytest
    except ImportError as problem:
        report.event("no_pytest", message=str(problem)[:500])
        return None
    report.event(
        "start",
        python="%d.%d.%d" % sys.version_info[:3],
        flags={"optimize": sys.flags.optimize, "dev_mode": bool(sys.flags.dev_mode)},
    )
    sys.argv[:] = [pytest.__file__.replace("__init__", "__main__"), *request["args"]]
    return pytest


def run(request, report):
    """Run the session; the last event carries its status and the nonce."""
    pytest = start(request, report)
    if pytest is None:
        return 3
    from _repair_probe.hang import listen
    from _repair_probe.plugin import Observer

    observer = Observer(request, report)
    listen(request["control_fd"], observer)
    try:
        status = int(pytest.main(list(request["args"]), plugins=[observer]))
    except BaseException as problem:  # told to the engine and raised again
        observer.crash(problem)
        raise
    report.event(
        "end",
        status=status,
        counts=observer.counts,
        leaked=leaked(request["original"], request["root"]),
        nonce=request["nonce"],
    )
    return status
