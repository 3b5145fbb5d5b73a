import time

from policy import Policy


class GaveUp(Exception):
    def __init__(self, tries, last):
        super().__init__(f"gave up after {tries} tries: {last}")
        self.tries = tries
        self.last = last


class Runner:
    def __init__(self, policy=None, retry_on=(OSError,), sleep=time.sleep):
        self.policy = policy or Policy()
        self.retry_on = retry_on
        self.sleep = sleep
        self.log = []

    def run(self, func, *args, **kwargs):
        """Call until it works; other exceptions than ``retry_on`` pass through."""
        self.log = []
        waits = self.policy.delays()
        tries = 0
        while True:
            tries += 1
            try:
                return func(*args, **kwargs)
            except self.retry_on as exc:
                self.log.append(f"try {tries}: {exc}")
                if tries > len(waits):
                    raise GaveUp(tries, exc) from exc
            self.sleep(waits[tries - 1])


def describe(policy):
    waits = policy.delays()
    if not waits:
        return "no retries"
    return f"{len(waits)} retries, {sum(waits):g}s at most"
