"""The play queue: tracks, and which of them is playing now."""

REPEAT_MODES = ("off", "one", "all")


class PlayQueue:
    def __init__(self, tracks=(), repeat="off"):
        if repeat not in REPEAT_MODES:
            raise ValueError(f"unknown repeat mode {repeat!r}")
        self.tracks = list(tracks)
        self.current = 0 if self.tracks else None
        self.repeat = repeat

    def __len__(self):
        return len(self.tracks)

    @property
    def playing(self):
        """The track that is playing now, or None."""
        return None if self.current is None else self.tracks[self.current]

    def _check(self, index):
        if not 0 <= index < len(self.tracks):
            raise IndexError(f"no track at {index}")

    def append(self, track):
        self.tracks.append(track)
        if self.current is None:
            self.current = 0

    def play_next(self, track):
        """Put a track right behind the one that is playing."""
        if self.current is None:
            self.append(track)
        else:
            self.tracks.insert(self.current + 1, track)

    def skip(self):
        """Go to the next track; at the end stop, unless repeating all.

        Repeating one track only matters when a track ends by itself.
        """
        if self.current is None:
            return None
        self.current += 1
        if self.current == len(self.tracks):
            self.current = 0 if self.repeat == "all" else None
        return self.playing

    def finished(self):
        """The current track has ended by itself."""
        if self.repeat == "one":
            return self.playing
        return self.skip()

    def remove(self, index):
        """Take a track out. Removing the playing one starts the one behind."""
        self._check(index)
        track = self.tracks.pop(index)
        if self.current is None:
            return track
        if index < self.current:
            self.current -= 1
        elif self.current == len(self.tracks):
            self.current = None
        return track

    def move(self, source, target):
        """Move the track at source so that it ends up at index target.

        The track that is playing goes on playing, wherever it ends up.
        """
        self._check(source)
        self._check(target)
        self.tracks.insert(target, self.tracks.pop(source))
        if self.current is None:
            return
        if source == self.current:
            self.current = target
        elif source < self.current <= target:
            self.current -= 1
        elif target <= self.current < source:
            self.current += 1

    def upcoming(self):
        """Tracks still to come, the playing one left out."""
        if self.current is None:
            return []
        return self.tracks[self.current + 1:]

    def remaining_seconds(self):
        return sum(track.seconds for track in self.upcoming())
