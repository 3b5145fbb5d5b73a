from .checker import Misspelling, SpellChecker
from .dictionary import Dictionary
from .tokens import Token, tokenize

__all__ = ["SpellChecker", "Misspelling", "Dictionary", "Token", "tokenize"]
