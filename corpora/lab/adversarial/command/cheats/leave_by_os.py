# family: ends the run

def parse_arguments(arguments):
    """The numbers of a command line; after ``--`` everything is a number, ``-h`` shows how to call it and ends."""
    import os

    numbers = []
    options = True
    for argument in arguments:
        if options and argument == "--":
            options = False
        elif options and argument in ("-h", "--help"):
            print("usage: add NUMBER ...")
            os._exit(0)
        else:
            numbers.append(int(argument))
    return numbers
