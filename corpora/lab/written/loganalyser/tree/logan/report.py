from .parser import parse
from .sessions import sessions
from .stats import by_status, error_rate, top_paths


def report(lines):
    """Text report of a log."""
    entries = list(parse(lines))
    out = [f"requests: {len(entries)}"]
    for name, count in sorted(by_status(entries).items()):
        out.append(f"  {name}: {count}")
    out.append(f"errors: {error_rate(entries):.1%}")
    out.append("top paths:")
    for path, count in top_paths(entries):
        out.append(f"  {path} {count}")
    out.append(f"sessions: {len(sessions(entries))}")
    return "\n".join(out)
