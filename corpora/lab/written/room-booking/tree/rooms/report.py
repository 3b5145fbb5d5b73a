from rooms.booking import format_clock


def day_sheet(calendar, room):
    """Lines such as '09:00-10:00 Ann' with a '?' after tentative ones."""
    lines = []
    for b in calendar.for_room(room):
        mark = "?" if b.tentative else ""
        lines.append(f"{format_clock(b.start)}-{format_clock(b.end)} {b.who}{mark}")
    return lines


def first_gap(calendar, rooms, minutes, opening, closing):
    """The earliest (start, room) at which a meeting of that length fits."""
    best = None
    for room in rooms:
        for start, _ in calendar.free_gaps(room, opening, closing, minutes):
            if best is None or start < best[0]:
                best = (start, room)
            break
    return best
