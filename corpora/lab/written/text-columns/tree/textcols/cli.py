import argparse
import sys

from textcols import columns


def main(argv=None, stdin=None, stdout=None):
    parser = argparse.ArgumentParser(prog="textcols")
    parser.add_argument("-w", "--width", type=int, default=80)
    parser.add_argument("-g", "--gap", type=int, default=2)
    args = parser.parse_args(argv)
    source = stdin or sys.stdin
    items = [line.strip() for line in source if line.strip()]
    print(columns(items, args.width, args.gap), file=stdout or sys.stdout)
    return 0
