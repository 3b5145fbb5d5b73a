"""Short questions about the target: does it compile, can it be imported."""

import importlib
import os


def compile_files(request, report):
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


def import_modules(request, report):
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
