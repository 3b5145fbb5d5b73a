"""Reading a small part of the vCard format."""
from dataclasses import dataclass, field


class VCardError(ValueError):
    pass


@dataclass
class Contact:
    name: str = ""
    company: str = ""
    emails: list = field(default_factory=list)
    phones: list = field(default_factory=list)


def unfold(text):
    """Join continued lines: a line that starts with a blank belongs to the one before."""
    lines = []
    for line in text.splitlines():
        if line[:1] in (" ", "\t") and lines:
            lines[-1] += line[1:]
        elif line.strip():
            lines.append(line)
    return lines


def parse_vcards(text):
    """Yield a Contact for each BEGIN:VCARD ... END:VCARD block."""
    contact = None
    for line in unfold(text):
        key, colon, value = line.partition(":")
        if not colon:
            raise VCardError(f"no colon in {line!r}")
        key = key.split(";")[0].upper()
        value = value.strip()
        if key == "BEGIN":
            contact = Contact()
        elif contact is None:
            raise VCardError(f"{line!r} outside of a card")
        elif key == "END":
            yield contact
            contact = None
        elif key == "FN":
            contact.name = value
        elif key == "ORG":
            contact.company = value
        elif key == "EMAIL":
            contact.emails.append(value)
        elif key == "TEL":
            contact.phones.append(value)
    if contact is not None:
        raise VCardError("card without END")
