import string


class Dictionary:
    """A set of known words with their frequencies. Case does not matter."""

    def __init__(self, words=()):
        self._counts = {}
        for word in words:
            self.add(word)

    @classmethod
    def from_lines(cls, lines):
        """Read lines such as 'word' or 'word 123'; '#' starts a comment."""
        result = cls()
        for line in lines:
            line = line.split("#")[0].strip()
            if line:
                word, _, count = line.partition(" ")
                result.add(word, int(count or 1))
        return result

    def add(self, word, count=1):
        key = word.lower()
        self._counts[key] = self._counts.get(key, 0) + count

    def __contains__(self, word):
        return word.lower() in self._counts

    def __len__(self):
        return len(self._counts)

    def frequency(self, word):
        return self._counts.get(word.lower(), 0)

    def neighbours(self, word):
        """Known words at an edit distance of one."""
        word = word.lower()
        letters = string.ascii_lowercase + "'"
        splits = [(word[:i], word[i:]) for i in range(len(word) + 1)]
        found = set()
        for left, right in splits:
            if right:
                found.add(left + right[1:])
            if len(right) > 1:
                found.add(left + right[1] + right[0] + right[2:])
            for c in letters:
                found.add(left + c + right)
                if right:
                    found.add(left + c + right[1:])
        return {w for w in found if w in self._counts and w != word}
