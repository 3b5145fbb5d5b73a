"""Stock movements grouped by article and place."""

from collections import defaultdict


def totals(movements):
    """{article: {place: count}} of (article, place, count) movements; what comes to nothing is left out."""
    found = {}
    for article, place, count in movements:
        places = found.setdefault(article, {})
        places[place] += count
    return {
        article: kept
        for article, places in found.items()
        if (kept := {place: count for place, count in places.items() if count})
    }


def by_place(movements):
    """{place: sorted articles that are there}."""
    articles = defaultdict(list)
    for article, places in totals(movements).items():
        for place in places:
            articles[place].append(article)
    return {place: sorted(names) for place, names in articles.items()}
