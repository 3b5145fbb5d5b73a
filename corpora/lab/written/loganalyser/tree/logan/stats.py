from collections import Counter, defaultdict


def by_status(entries):
    """Counts per class: {"2xx": 10, "4xx": 1}"""
    return dict(Counter(f"{e.status // 100}xx" for e in entries))


def top_paths(entries, count=3):
    """Most requested paths, ties by name."""
    hits = Counter(e.path for e in entries)
    return sorted(hits.items(), key=lambda item: (-item[1], item[0]))[:count]


def mean_seconds(entries):
    """Mean duration per path."""
    times = defaultdict(list)
    for e in entries:
        times[e.path].append(e.seconds)
    return {path: sum(values) / len(values) for path, values in times.items()}


def error_rate(entries):
    entries = list(entries)
    if not entries:
        return 0.0
    return sum(1 for e in entries if e.status >= 500) / len(entries)
