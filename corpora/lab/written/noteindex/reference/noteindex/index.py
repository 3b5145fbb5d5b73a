"""In-memory index of notes: full-text postings and tags."""
from collections import Counter, defaultdict
from dataclasses import dataclass, field

from .text import normal_tag, tokens


@dataclass
class Note:
    key: str
    title: str
    body: str = ""
    tags: tuple = field(default_factory=tuple)


class NoteIndex:
    def __init__(self):
        self._notes = {}
        self._postings = defaultdict(Counter)  # word -> {key: occurrences}
        self._tags = defaultdict(set)  # tag -> keys

    def __len__(self):
        return len(self._notes)

    def __contains__(self, key):
        return key in self._notes

    def get(self, key):
        return self._notes[key]

    def add(self, note):
        """Index *note*. A note with the same key replaces the older one."""
        if note.key in self._notes:
            self.remove(note.key)
        self._notes[note.key] = note
        for word in tokens(note.title) + tokens(note.body):
            self._postings[word][note.key] += 1
        for tag in note.tags:
            self._tags[normal_tag(tag)].add(note.key)

    def remove(self, key):
        """Forget the note; KeyError if there is none."""
        note = self._notes.pop(key)
        for word in set(tokens(note.title) + tokens(note.body)):
            del self._postings[word][key]
            if not self._postings[word]:
                del self._postings[word]
        for tag in {normal_tag(tag) for tag in note.tags}:
            self._tags[tag].discard(key)
            if not self._tags[tag]:
                del self._tags[tag]

    def occurrences(self, word):
        """{key: count} for one word."""
        return dict(self._postings.get(word.lower(), {}))

    def words(self):
        return sorted(self._postings)

    def tag_counts(self):
        """[(tag, number of notes)], the most used first, then by name."""
        pairs = [(tag, len(keys)) for tag, keys in self._tags.items()]
        return sorted(pairs, key=lambda pair: (-pair[1], pair[0]))

    def tagged(self, *tags):
        """Keys of the notes that have all of *tags*."""
        if not tags:
            return set(self._notes)
        sets = [self._tags.get(normal_tag(tag), set()) for tag in tags]
        return set.intersection(*sets)
