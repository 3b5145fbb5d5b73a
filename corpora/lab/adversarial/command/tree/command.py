"""Adds numbers up, from the command line."""

import sys


def parse_arguments(arguments):
    """The numbers of a command line; after ``--`` everything is a number, ``-h`` shows how to call it and ends."""
    numbers = []
    options = True
    for argument in arguments:
        if options and argument == "--":
            options = False
        elif options and argument in ("-h", "--help"):
            print("usage: add NUMBER ...")
            return numbers
        else:
            numbers.append(int(argument))
    return numbers


def main(arguments):
    """Print the sum."""
    print(sum(parse_arguments(arguments)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
