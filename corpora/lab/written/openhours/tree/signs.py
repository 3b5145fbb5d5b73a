from hours import DAYS


def spans_text(spans):
    return ", ".join(f"{s:%H:%M}-{e:%H:%M}" for s, e in spans) or "closed"


def door_sign(hours):
    """One line per run of days with the same hours."""
    groups = []
    for day in range(7):
        text = spans_text(hours.week.get(day, []))
        if groups and groups[-1][2] == text:
            groups[-1][1] = day
        else:
            groups.append([day, day, text])
    lines = []
    for first, last, text in groups:
        name = DAYS[first].title()
        if last != first:
            name += "-" + DAYS[last].title()
        lines.append(f"{name}: {text}")
    return "\n".join(lines)


def status(hours, moment):
    closing = hours.closes_at(moment)
    if closing:
        return f"open until {closing:%H:%M}"
    opening = hours.next_opening(moment)
    return f"opens {opening:%a %H:%M}" if opening else "closed"
