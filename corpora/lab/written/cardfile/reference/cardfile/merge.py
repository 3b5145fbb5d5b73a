"""Merging contact lists that were exported from several places."""
from .contact import Contact
from .normal import email_key, name_key, phone_key


def same_person(a, b):
    """Two contacts are taken for the same person when their names agree and they
    share a phone number or a mail address, or when one has neither."""
    if name_key(a.name) != name_key(b.name):
        return False
    if not (a.phones or a.emails) or not (b.phones or b.emails):
        return True
    phones = {phone_key(p) for p in a.phones} & {phone_key(p) for p in b.phones}
    emails = {email_key(e) for e in a.emails} & {email_key(e) for e in b.emails}
    return bool(phones or emails)


def combine(a, b):
    """A new contact with everything from both; neither *a* nor *b* is changed.

    The name is a's. Phones and emails keep their order, a's first, in the
    spelling that came first; the same number or address in another spelling is
    not repeated. Notes that differ are joined with "; ".
    """
    result = Contact(a.name, list(a.phones), list(a.emails), a.note)
    for phone in b.phones:
        if phone_key(phone) not in map(phone_key, result.phones):
            result.phones.append(phone)
    for email in b.emails:
        if email_key(email) not in map(email_key, result.emails):
            result.emails.append(email)
    if b.note and b.note != a.note:
        result.note = f"{a.note}; {b.note}" if a.note else b.note
    return result


def merge(*lists):
    """All contacts of the lists, each person once, in order of first appearance."""
    merged = []
    for contacts in lists:
        for contact in contacts:
            for position, known in enumerate(merged):
                if same_person(known, contact):
                    merged[position] = combine(known, contact)
                    break
            else:
                merged.append(contact)
    return merged


def find(contacts, text):
    """Contacts whose name contains *text* or that have it as a number or address."""
    wanted = text.strip().lower()
    digits = phone_key(text)
    return [
        c
        for c in contacts
        if wanted in c.name.lower()
        or wanted in map(email_key, c.emails)
        or (digits and digits in map(phone_key, c.phones))
    ]
