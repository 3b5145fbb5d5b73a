def money(cents: int) -> str:
    return f"{cents // 100}.{cents % 100:02d}"


def invoice(account) -> str:
    lines = [f"Invoice for {account.owner}"]
    for on, text, cents in account.charges:
        lines.append(f"{on.isoformat()}  {text:<20}{money(cents):>10}")
    lines.append(f"{'Total':<32}{money(account.total()):>10}")
    return "\n".join(lines)
