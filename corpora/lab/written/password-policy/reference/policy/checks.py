"""Single checks on a password. All of them are plain functions without state."""

import string

COMMON = {"password", "letmein", "qwerty", "welcome", "iloveyou"}


def count_classes(password):
    """How many of lower, upper, digit and other characters occur."""
    found = set()
    for char in password:
        if char in string.ascii_lowercase:
            found.add("lower")
        elif char in string.ascii_uppercase:
            found.add("upper")
        elif char in string.digits:
            found.add("digit")
        else:
            found.add("other")
    return len(found)


def longest_repeat(password):
    """Length of the longest stretch of one and the same character."""
    best = run = 0
    previous = None
    for char in password:
        run = run + 1 if char == previous else 1
        best = max(best, run)
        previous = char
    return best


def find_sequence(password, length=4):
    """Return the first stretch of ``length`` characters that counts steadily
    up or steadily down ("abcd", "4321"), as it stands in the password.

    Upper and lower case are the same here ("aBcD" is a sequence). Only
    letters and digits take part. None if there is no such stretch.
    """
    lowered = password.lower()
    run = 1
    step = 0
    for i in range(1, len(lowered)):
        delta = ord(lowered[i]) - ord(lowered[i - 1])
        plain = lowered[i].isalnum() and lowered[i - 1].isalnum()
        if plain and delta in (1, -1) and step in (0, delta):
            run += 1
            step = delta
        elif plain and delta in (1, -1):
            run = 2
            step = delta
        else:
            run = 1
            step = 0
        if run >= length:
            return password[i - length + 1 : i + 1]
    return None


def contains_name(password, *names):
    """True if one of the names (three letters or more) is part of the password."""
    lowered = password.lower()
    return any(len(name) >= 3 and name.lower() in lowered for name in names)


def is_common(password):
    return password.lower().rstrip(string.digits + "!") in COMMON
