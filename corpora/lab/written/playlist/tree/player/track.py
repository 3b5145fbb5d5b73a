from dataclasses import dataclass


@dataclass(frozen=True)
class Track:
    title: str
    artist: str
    seconds: int

    def __str__(self):
        return f"{self.artist} - {self.title} ({clock(self.seconds)})"


def clock(seconds):
    hours, rest = divmod(seconds, 3600)
    minutes, secs = divmod(rest, 60)
    if hours:
        return f"{hours}:{minutes:02d}:{secs:02d}"
    return f"{minutes}:{secs:02d}"
