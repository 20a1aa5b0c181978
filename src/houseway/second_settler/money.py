"""Convert amounts between dollars (text) and cents (integers), and compute winnings."""

import re

AMOUNT = re.compile(r"([0-9]{1,12})(?:\.([0-9]{1,2}))?")


def cents(value: object) -> int:
    """Read "7.50" as 750. Raise ValueError with the reason if the value is not an amount."""
    if isinstance(value, int) and not isinstance(value, bool):
        if value < 0:
            raise ValueError("is negative")
        return value * 100
    if not isinstance(value, str):
        raise ValueError("is not an amount")
    match = AMOUNT.fullmatch(value)
    if match is None:
        if value.startswith("-"):
            raise ValueError("is negative")
        if re.fullmatch(r"[0-9]+\.[0-9]{3,}", value):
            raise ValueError("has more than two decimals")
        raise ValueError("is not an amount")
    whole, part = match.groups()
    if part is None:
        return int(whole) * 100
    return int(whole) * 100 + int(part.ljust(2, "0"))


def dollars(amount: int) -> str:
    """Write 750 as "7.50" and -1000 as "-10.00"."""
    if amount < 0:
        return f"-{-amount // 100}.{-amount % 100:02d}"
    return f"{amount // 100}.{amount % 100:02d}"


def winnings(stake: int, pays: int, per: int, rounding: str) -> int:
    """Return the winnings of a stake at odds of `pays` to `per`, rounded once to the cent."""
    exact = stake * pays
    if exact % per == 0:
        return exact // per
    if rounding == "up":
        return exact // per + 1
    if rounding == "nearest":
        return (2 * exact + per) // (2 * per)
    return exact // per
