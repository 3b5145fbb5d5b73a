from dataclasses import dataclass


@dataclass(frozen=True)
class Track:
    title: str
    artist: str
    seconds: int

    def __str__(self):
        return f"{self.artist} - {self.title} ({format_length(self.seconds)})"


def format_length(seconds):
    """3:07 or 1:02:09."""
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours}:{minutes:02d}:{seconds:02d}"
    return f"{minutes}:{seconds:02d}"


def parse_m3u(text):
    """Tracks of an extended M3U playlist; lines it does not know are skipped."""
    tracks = []
    for line in text.splitlines():
        if not line.startswith("#EXTINF:"):
            continue
        length, _, name = line[len("#EXTINF:"):].partition(",")
        artist, _, title = name.partition(" - ")
        tracks.append(Track(title.strip(), artist.strip(), int(length)))
    return tracks
