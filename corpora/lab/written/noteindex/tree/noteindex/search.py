"""Ranked search over a NoteIndex."""
from .index import NoteIndex
from .text import normal_tag, tokens

TITLE_BONUS = 2


def parse_query(query):
    """Split "fish #lunch soup" into (["fish", "soup"], ["lunch"])."""
    tags, rest = [], []
    for part in query.split():
        if part.startswith("#") and len(part) > 1:
            tags.append(normal_tag(part))
        else:
            rest.append(part)
    return tokens(" ".join(rest)), tags


def search(index: NoteIndex, query, limit=10):
    """Return [(key, score)], best first; equal scores by key.

    Every occurrence of a query word counts 1, and a word in the title counts
    TITLE_BONUS more.  Notes need at least one of the words and all of the tags.
    A query of tags alone finds all notes with these tags, with score 0.
    """
    words, tags = parse_query(query)
    allowed = index.tagged(*tags)
    scores = {}
    for word in dict.fromkeys(words):
        for key, count in index.occurrences(word).items():
            if key not in allowed:
                continue
            bonus = TITLE_BONUS if word in tokens(index.get(key).title) else 0
            scores[key] = scores.get(key, 0) + count + bonus
    if not words and tags:
        scores = dict.fromkeys(allowed, 0)
    ranked = sorted(scores.items(), key=lambda item: (-item[1], item[0]))
    return ranked[:limit]
