from paging import paginate
from sorting import sort_results


def matches(result, words):
    text = " ".join(str(v) for v in result.values() if isinstance(v, str)).lower()
    return all(word in text for word in words)


def search(results, query="", sort="", page=1, size=10):
    words = query.lower().split()
    found = [r for r in results if matches(r, words)]
    return paginate(sort_results(found, sort), page, size)
