from player.track import clock


class Playlist:
    """An ordered list of tracks with a play position.

    ``position`` is the index of the current track, or None when the list
    is empty.
    """

    def __init__(self, name, tracks=None, repeat=False):
        self.name = name
        self.repeat = repeat
        self._tracks = list(tracks or [])
        self.position = 0 if self._tracks else None

    def __len__(self):
        return len(self._tracks)

    def __iter__(self):
        return iter(self._tracks)

    @property
    def current(self):
        if self.position is None:
            return None
        return self._tracks[self.position]

    def add(self, track, at=None):
        if at is None:
            at = len(self._tracks)
        if not 0 <= at <= len(self._tracks):
            raise IndexError(at)
        self._tracks.insert(at, track)
        if self.position is None:
            self.position = 0
        elif at <= self.position:
            self.position += 1

    def remove(self, index):
        """Take out a track and return it.

        The current track goes on being the current one. When it is the
        current track that is removed, the one after it takes its place (the
        last one when there is none after it).
        """
        if not 0 <= index < len(self._tracks):
            raise IndexError(index)
        track = self._tracks.pop(index)
        if not self._tracks:
            self.position = None
        return track

    def next(self):
        """Go to the next track; None at the end unless repeating."""
        if self.position is None:
            return None
        if self.position + 1 < len(self._tracks):
            self.position += 1
        elif self.repeat:
            self.position = 0
        else:
            return None
        return self.current

    def previous(self):
        if self.position is None:
            return None
        if self.position > 0:
            self.position -= 1
        elif self.repeat:
            self.position = len(self._tracks) - 1
        return self.current

    def jump(self, index):
        if not 0 <= index < len(self._tracks):
            raise IndexError(index)
        self.position = index
        return self.current

    def remaining(self):
        """Playing time from the current track to the end."""
        if self.position is None:
            return "0:00"
        return clock(sum(t.seconds for t in self._tracks[self.position:]))
