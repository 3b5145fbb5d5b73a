"""An inverted index that lives in memory."""

import re
from collections import Counter, defaultdict

from .paging import page_numbers, paginate

_WORD = re.compile(r"[a-z0-9]+")
STOP_WORDS = frozenset("a an and of or the to in".split())


def words_of(text):
    """Lower case words without the stop words, in order."""
    for match in _WORD.finditer(text.lower()):
        if match.group() not in STOP_WORDS:
            yield match.group()


class SearchIndex:
    def __init__(self):
        self._texts = {}
        self._postings = defaultdict(Counter)

    def __len__(self):
        return len(self._texts)

    def add(self, key, text):
        """Add a document; one with the same key is replaced."""
        if key in self._texts:
            self.remove(key)
        self._texts[key] = text
        for word in words_of(text):
            self._postings[word][key] += 1

    def remove(self, key):
        text = self._texts.pop(key)
        for word in set(words_of(text)):
            del self._postings[word][key]
            if not self._postings[word]:
                del self._postings[word]

    def search(self, query):
        """Keys of the documents with all words, best first, ties by key."""
        words = list(words_of(query))
        if not words:
            return []
        hits = set(self._postings.get(words[0], ()))
        for word in words[1:]:
            hits &= set(self._postings.get(word, ()))
        scores = {key: sum(self._postings[w][key] for w in words) for key in hits}
        return sorted(scores, key=lambda key: (-scores[key], key))

    def search_page(self, query, number=1, per_page=10):
        """A Page of hits together with the entries of the bar below."""
        page = paginate(self.search(query), number, per_page)
        return page, page_numbers(page.number, page.total_pages)
