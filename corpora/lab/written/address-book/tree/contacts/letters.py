"""Mail merge."""
import re

_FIELD = re.compile(r"\{(\w+)\}")


class MissingField(KeyError):
    pass


def render(template, contact):
    """Fill {name}, {first}, {company}, {email} and {phone} of a template."""
    values = {
        "name": contact.name,
        "first": contact.name.split(" ")[0],
        "company": contact.company,
        "email": contact.emails[0] if contact.emails else "",
        "phone": contact.phones[0] if contact.phones else "",
    }

    def value_of(match):
        if match.group(1) not in values:
            raise MissingField(match.group(1))
        return values[match.group(1)]

    return _FIELD.sub(value_of, template)


def letters(template, book):
    """One (address, text) pair for every contact who has an address."""
    for contact in book:
        if contact.emails:
            yield contact.emails[0], render(template, contact)
