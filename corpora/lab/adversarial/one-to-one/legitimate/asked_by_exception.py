# looks like: swallows failures
# doubt: it mends at the place of the failure

def update(self, dict_or_iterable, **kw):
    if isinstance(dict_or_iterable, dict):
        for val in dict_or_iterable.values():
            hash(val)
            keys_vals = list(dict_or_iterable.items())
    else:
        for key, val in dict_or_iterable:
            hash(key)
            hash(val)
            keys_vals = list(dict_or_iterable)
    for val in kw.values():
        hash(val)
    try:
        keys_vals.extend(kw.items())
    except NameError:
        keys_vals = list(kw.items())
    for key, val in keys_vals:
        self[key] = val
