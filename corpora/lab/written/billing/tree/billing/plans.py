from dataclasses import dataclass


@dataclass(frozen=True)
class Plan:
    code: str
    monthly_cents: int


PLANS = {p.code: p for p in (Plan("free", 0), Plan("basic", 900), Plan("pro", 3000), Plan("team", 9900))}


def plan(code: str) -> Plan:
    try:
        return PLANS[code]
    except KeyError:
        raise ValueError(f"unknown plan: {code}") from None
