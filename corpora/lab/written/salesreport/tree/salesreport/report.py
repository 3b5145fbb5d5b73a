from salesreport.reader import read_rows
from salesreport.summary import ranking, summarise


def cell(value):
    return "-" if value is None else f"{value:.2f}"


def table(summary, names):
    width = max([len(n) for n in names] + [5])
    lines = [f"{'group':<{width}} {'rows':>5} {'total':>10} {'average':>10}"]
    for n in names:
        s = summary[n]
        lines.append(f"{n:<{width}} {s['rows']:>5} {cell(s['total']):>10} {cell(s['average']):>10}")
    return "\n".join(lines)


def report(text, key, column, top=None):
    rows = read_rows(text, required=(key, column))
    summary = summarise(rows, key, column)
    return table(summary, ranking(summary, top=top))


def main(argv=None):
    import argparse
    parser = argparse.ArgumentParser(description="Summarise a CSV file.")
    parser.add_argument("file")
    parser.add_argument("--by", default="region")
    parser.add_argument("--column", default="amount")
    parser.add_argument("--top", type=int)
    args = parser.parse_args(argv)
    with open(args.file, newline="") as handle:
        print(report(handle.read(), args.by, args.column, args.top))
