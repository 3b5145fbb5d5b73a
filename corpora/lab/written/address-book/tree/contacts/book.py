from dataclasses import replace

from .vcard import parse_vcards


class AddressBook:
    """Contacts without duplicates, found by any of their e-mail addresses.

    Upper and lower case make no difference in addresses.
    """

    def __init__(self):
        self._contacts = []
        self._by_email = {}

    def __len__(self):
        return len(self._contacts)

    def __iter__(self):
        return iter(self._contacts)

    def find(self, email):
        """The contact with that address, or None."""
        return self._by_email.get(email.lower())

    def add(self, contact):
        """Add a contact and return the entry that stands for it in the book.

        A contact who shares an address with an entry is merged into that
        entry: addresses and phone numbers not known yet are put behind the
        known ones, name and company are taken over only where the entry has
        none.  The entry can then be found by all of its addresses.  The book
        keeps its own copy; `contact` is not changed, now or later.
        """
        entry = None
        for email in contact.emails:
            entry = entry or self.find(email)
        if entry is None:
            entry = replace(contact, emails=list(contact.emails), phones=list(contact.phones))
            self._contacts.append(entry)
            for email in entry.emails:
                self._by_email[email.lower()] = entry
            return entry
        known = {email.lower() for email in entry.emails}
        for email in contact.emails:
            if email.lower() not in known:
                known.add(email.lower())
                entry.emails.append(email)
        for phone in contact.phones:
            if phone not in entry.phones:
                entry.phones.append(phone)
        entry.name = entry.name or contact.name
        entry.company = entry.company or contact.company
        return entry

    def load(self, text):
        """Add all cards of a vCard file; returns how many cards it had."""
        count = 0
        for contact in parse_vcards(text):
            self.add(contact)
            count += 1
        return count

    def remove(self, email):
        entry = self.find(email)
        if entry is None:
            raise KeyError(email)
        self._contacts = [c for c in self._contacts if c is not entry]
        self._by_email = {e: c for e, c in self._by_email.items() if c is not entry}
