"""One run as a page of HTML: a file by itself, which needs no script and fetches nothing."""
