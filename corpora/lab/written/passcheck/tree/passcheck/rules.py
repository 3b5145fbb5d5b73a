"""The single rules. Every function looks at one password."""


def character_classes(password: str) -> set[str]:
    """Kinds of characters in the password: lower, upper, digit, other."""
    kinds = set()
    for ch in password:
        if ch.islower():
            kinds.add("lower")
        elif ch.isupper():
            kinds.add("upper")
        elif ch.isdigit():
            kinds.add("digit")
        else:
            kinds.add("other")
    return kinds


def longest_run(password: str) -> int:
    """Length of the longest run of one repeated character.

    >>> longest_run("aabbbc")
    3
    """
    best = run = 0
    previous = None
    for ch in password:
        run = run + 1 if ch == previous else 1
        best = max(best, run)
        previous = ch
    return best


def longest_sequence(password: str) -> int:
    """Length of the longest stretch that counts up or down by one.

    Letters are compared without regard to case, and only letters and
    digits form sequences. A stretch goes in one direction only.

    >>> longest_sequence("xabcd9")
    4
    >>> longest_sequence("z321!")
    3
    """
    text = password.lower()
    best = 1 if text else 0
    run, direction = 1, 0
    for before, ch in zip(text, text[1:]):
        step = ord(ch) - ord(before)
        same_kind = before.isalnum() and ch.isalnum()
        if same_kind and step in (1, -1):
            run = run + 1 if direction in (0, step) else 1
            direction = step
        else:
            run = 1
        best = max(best, run)
    return best


def strength(password: str) -> str:
    """A rough word for the user interface."""
    score = len(password) // 4 + len(character_classes(password))
    score -= longest_run(password) > 3
    score -= longest_sequence(password) > 3
    if score < 3:
        return "weak"
    return "fair" if score < 6 else "strong"
