"""Tags on notes."""

from dataclasses import dataclass, field


@dataclass
class Note:
    title: str
    tags: set = field(default_factory=set)

    def tag(self, *names):
        """Add tags; case does not count. Gives those that are new."""
        new = {name.lower() for name in names} - self.tags
        self.tags |= new
        return sorted(new)

    def untag(self, name):
        """Remove a tag; gives whether it was there."""
        present = name.lower() in self.tags
        self.tags.discard(name.lower())
        return present

    def merge(self, other):
        """Take over the tags of another note; those that end in ``!`` are that note's own."""
        for name in other.tags:
            if not name.endswith("!"):
                self.tags.add(name)
        return self


def tagged(notes, name):
    return [note.title for note in notes if name.lower() in note.tags]
