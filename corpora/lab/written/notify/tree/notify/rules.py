"""Who gets notified about what."""
from collections import Counter

BROADCAST = {"all", "here", "channel"}


def is_relevant(message, user):
    """Would the user want to know (quiet hours aside)?"""
    if message.sender == user.name or user.level == "none":
        return False
    if message.direct:
        return message.channel[1:] == user.name
    if message.channel in user.muted:
        return user.name.lower() in message.mentions
    if user.level == "all":
        return True
    if user.name.lower() in message.mentions or message.mentions & BROADCAST:
        return True
    return bool(message.words & {k.lower() for k in user.keywords})


def should_notify(message, user):
    if not is_relevant(message, user):
        return False
    if message.urgent:
        return True
    return user.quiet is None or not user.quiet.covers(message.sent.time())


def recipients(message, users):
    return [u.name for u in users if should_notify(message, u)]


def digest(messages, user):
    """What was held back during the quiet hours, by channel."""
    held = Counter(
        m.channel
        for m in messages
        if is_relevant(m, user) and not should_notify(m, user)
    )
    return [f"{n} in {channel}" for channel, n in sorted(held.items())]
