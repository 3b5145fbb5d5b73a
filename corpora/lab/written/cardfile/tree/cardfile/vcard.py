"""Reading and writing the few vCard fields we use."""
from .contact import Contact


def load(text):
    contacts = []
    current = None
    for line in text.splitlines():
        key, _, value = line.strip().partition(":")
        field = key.split(";")[0].upper()
        if field == "BEGIN":
            current = Contact("")
        elif field == "END":
            contacts.append(current)
            current = None
        elif current is None:
            continue
        elif field == "FN":
            current.name = value
        elif field == "TEL":
            current.phones.append(value)
        elif field == "EMAIL":
            current.emails.append(value)
        elif field == "NOTE":
            current.note = value
    return contacts


def dump(contacts):
    lines = []
    for c in contacts:
        lines += ["BEGIN:VCARD", f"FN:{c.name}"]
        lines += [f"TEL:{p}" for p in c.phones]
        lines += [f"EMAIL:{e}" for e in c.emails]
        if c.note:
            lines.append(f"NOTE:{c.note}")
        lines.append("END:VCARD")
    return "\n".join(lines)
