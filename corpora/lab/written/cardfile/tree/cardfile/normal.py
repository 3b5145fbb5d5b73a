"""Bringing names, phone numbers and mail addresses into one form for comparison."""
import re


def phone_key(phone, country="44"):
    """Digits only, with the country's code: "+44 (20) 7946-0000" and "020 7946 0000" are the same."""
    digits = re.sub(r"[^\d+]", "", phone)
    if digits.startswith("+"):
        return digits[1:]
    if digits.startswith("00"):
        return digits[2:]
    if digits.startswith("0"):
        return country + digits[1:]
    return digits


def email_key(email):
    return email.strip().lower()


def name_key(name):
    """Words in any order and case: "Jones, Ann" and "ann jones" are the same."""
    words = re.findall(r"\w+", name.lower())
    return " ".join(sorted(words))
