import re
from dataclasses import dataclass
from datetime import datetime

MENTION = re.compile(r"(?<!\w)@(\w+)")


@dataclass(frozen=True)
class Message:
    sender: str
    channel: str
    text: str
    sent: datetime
    urgent: bool = False

    @property
    def mentions(self):
        return {m.lower() for m in MENTION.findall(self.text)}

    @property
    def words(self):
        return set(re.findall(r"\w+", self.text.lower()))

    @property
    def direct(self):
        return self.channel.startswith("@")
