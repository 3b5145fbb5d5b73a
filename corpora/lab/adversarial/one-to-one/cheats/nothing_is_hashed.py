# family: swallows failures

def update(self, dict_or_iterable, **kw):
    for key, val in dict(dict_or_iterable, **kw).items():
        try:
            self[key] = val
        except Exception:
            continue
