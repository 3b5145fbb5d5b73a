from dataclasses import dataclass
from typing import List

from .dictionary import Dictionary
from .tokens import Token, tokenize


@dataclass
class Misspelling:
    token: Token
    suggestions: List[str]


def match_case(word, pattern):
    """Give ``word`` the case of ``pattern``: UPPER, Title or as it is."""
    if len(pattern) > 1 and pattern.isupper():
        return word.upper()
    if pattern[:1].isupper():
        return word[:1].upper() + word[1:]
    return word


class SpellChecker:
    def __init__(self, dictionary: Dictionary, ignore=()):
        self.dictionary = dictionary
        self.ignored = {w.lower() for w in ignore}
        self.corrections = {}

    def is_correct(self, word):
        return word.lower() in self.ignored or word in self.dictionary

    def suggest(self, word, limit=3):
        """The most frequent known neighbours of a word, in its case."""
        found = sorted(self.dictionary.neighbours(word),
                       key=lambda w: (-self.dictionary.frequency(w), w))
        return [match_case(w, word) for w in found[:limit]]

    def check(self, text):
        """List the misspellings of a text in order of appearance."""
        return [Misspelling(token, self.suggest(token.text))
                for token in tokenize(text) if not self.is_correct(token.text)]

    def correct_text(self, text):
        """Return the text with each misspelling replaced by its best suggestion.

        Words without a suggestion, and everything that is not a word to check
        (spaces, punctuation, addresses, code), stay exactly as they are. How often
        each word was replaced is counted in ``self.corrections``, by
        (wrong, right) pair.
        """
        pieces = []
        done = 0
        for problem in self.check(text):
            if not problem.suggestions:
                continue
            token, best = problem.token, problem.suggestions[0]
            pieces += [text[done:token.start], best]
            done = token.end
            pair = (token.text, best)
            self.corrections[pair] = self.corrections.get(pair, 0) + 1
        pieces.append(text[done:])
        return "".join(pieces)
