PER_DAY = 25
GRACE_DAYS = 1
CAP = 1500


def fine_for(due, returned):
    """Fine in cents. One day late is forgiven; later, all days count."""
    late = (returned - due).days
    if late <= GRACE_DAYS:
        return 0
    return min(late * PER_DAY, CAP)
