import re

STOPWORDS = frozenset("a an and are as at be by for from in is it of on or the to with".split())

_word = re.compile(r"[a-z0-9]+(?:'[a-z]+)?")


def tokens(text):
    """Lower-case words of *text*, without stopwords, in order."""
    return [w for w in _word.findall(text.lower()) if w not in STOPWORDS]


def normal_tag(tag):
    return tag.strip().lstrip("#").lower().replace(" ", "-")
