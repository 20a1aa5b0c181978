"""Progressives: every line of every table, one or several awards from a meter, seeds, reserves, envy."""

from collections.abc import Iterator
from random import Random
from typing import Any

from .dealing import (
    CLASSES,
    HIGH,
    ROYAL,
    STRAIGHT_FLUSH,
    Deal,
    Made,
    anything,
    cycle,
    deal,
    numbers,
    one_deck,
    text,
)
from .showing import one

MA = ("PTMGL01", "PTMGL02", "PTMGL04", "PTMGLML01", "PTMGLML02", "PTMGLML03")
PMG = ("PMG-01", "PMG-02")
UTHP = ("UTHP-01", "UTHP-02")
METERS = {"PTMGLML01": ("major", "minor")} | dict.fromkeys(MA[4:], ("mega", "major", "minor"))
WAGER = {"PMG-01": "1", "PMG-02": "5"} | dict.fromkeys(MA, "5")
SHOWS = ("52340.50", "7331.07", "1999.99")
BOOK = dict.fromkeys(MA, "uth-ma") | dict.fromkeys(PMG + UTHP, "uth-sd")

# Hole cards and board for each way to make a royal flush.
ROYALS = (
    ("in the first five", "As Ks", "Qs Js Ts 4d 4c"),
    ("with the turn", "As Ks", "Qs Js 4d Ts 2c"),
    ("with the river", "As Ks", "Qs 4d Js 2c Ts"),
    ("with turn and river", "Ah Th", "Qh 4d 2c Kh Jh"),
    ("with one hole card", "As 2d", "Ks Qs Js Ts 4c"),
    ("with one hole card and the river", "As 2d", "Ks Qs Js 4c Ts"),
    ("wholly on the board", "2d 7c", "As Ks Qs Js Ts"),
)
# Hole cards and board for each lower class, made with all seven cards and with the first five.
SEVENS = (
    ("straight flush with the turn", "7h 8h", "9h Th 2c Jh 2d"),
    ("straight flush on the board", "2c 3d", "9h Th 7h Jh 8h"),
    ("steel wheel", "Ah 2h", "3h 4h 9c 5h Kd"),
    ("four of a kind", "9c 9d", "9h 9s 4d Kc 2s"),
    ("four of a kind with the river", "9c 9d", "9h 5s 4d Kc 9s"),
    ("full house with the turn", "Kh 3d", "Ks 7c 2s Kd 3c"),
    ("full house on the board", "4h 5d", "Ks Kd Kc 7h 7s"),
    ("flush", "Qh 4h", "Ah 9h 6h Kc 2d"),
    ("straight", "Jc Td", "9s 8h 7d Kc 2c"),
    ("three of a kind", "7c 7d", "7s Kh 9d 4c 2s"),
    ("two pair", "Ah 9c", "As 9d 7s 4h 2d"),
    ("high card", "Ah Jc", "Qs 9d 7s 4h 2d"),
)
# Flops that give several players a straight flush: seat, hole.
TOGETHER = (
    ("royal and straight flush", "Th Jh Qh 3c 2d", "5s 5d", ((5, "Ah Kh"), (2, "8h 9h"))),
    ("straight flush and royal", "Th Jh Qh 3c 2d", "5s 5d", ((2, "Ah Kh"), (5, "8h 9h"))),
    ("two straight flushes", "9h Th Jh 4c 4d", "5s 5d", ((1, "7h 8h"), (2, "Qh Kh"))),
    ("two straight flushes and a bystander", "9h Th Jh 4c 4d", "5s 5d", ((6, "7h 8h"), (3, "Qh Kh"), (4, "As Ac"))),
    ("royal and four bystanders", "Qs Js Ts 4d 4c", "2h 3h", ((1, "As Ks"), (2, "9h 9d"), (3, "4h 4s"), (6, "7c 8d"))),
)  # fmt: skip


def dealt(rng: Random, hole: str, board: str) -> Deal:
    """Return a dealer's hand of other cards."""
    used = numbers(f"{hole} {board}")
    rest = [c for c in range(8, 60) if c not in used]
    rng.shuffle(rest)
    return Deal(hole, board, text(rest[:2]), tuple(rest[2:]))


def names(table: str) -> tuple[str, ...]:
    """The meters of a table."""
    return METERS.get(table, ("main",))


def meter_amounts(table: str, n: int = 0) -> dict[str, str]:
    """The amounts on the meters."""
    return {name: SHOWS[(at + n) % 3] for at, name in enumerate(names(table))}


def flop_lines() -> Iterator[Made]:
    """Yield rounds for tables on the hole cards and the flop: every class, played and folded, with given meters and seeds."""
    rng = Random(18)
    for table in (*PMG, *MA):
        for kind in range(HIGH, ROYAL + 1):
            for n in range(4):
                cards = deal(rng, kind, anything, (2,), flop=True)
                while one_deck(numbers(f"{cards.hole} {cards.board}")[:5])[0] != kind:
                    cards = deal(rng, kind, anything, (2,), flop=True)
                fields: dict[str, Any] = {"tables": {"progressive": table}, "progressive": WAGER[table]}
                fields |= {"ante": ("10", "5", "7.50", "12.34")[n], "play": (4, 0, 1, 0)[n]}
                if n in (0, 3):
                    fields["meters"] = meter_amounts(table, kind)
                if n >= 2:
                    fields["trips"] = "5"
                if n == 3 and kind >= STRAIGHT_FLUSH:
                    fields["house"] = {"reserve": dict.fromkeys(names(table), "750.25")}
                about = f"{table}: {CLASSES[kind]} on the flop{', folded' if n % 2 else ''}"
                yield Made(about, one(BOOK[table], cards, **fields))
        # Turn and river do not count.
        for name, hole, board in (ROYALS[1], ROYALS[4], ROYALS[6], *SEVENS[:2], SEVENS[4], SEVENS[5]):
            fields = {"tables": {"progressive": table}, "progressive": WAGER[table], "ante": "5", "play": 1}
            about = f"{table}: made {name}, not on the flop"
            yield Made(about, one(BOOK[table], dealt(rng, hole, board), **fields))


def seven_lines() -> Iterator[Made]:
    """Yield rounds for the UTHP tables, which read all seven cards and depend on how a royal flush was made."""
    rng = Random(19)
    wagers = cycle("1", "5", "2.50", "0.37")
    for table in UTHP:
        for name, hole, board in (*ROYALS, *SEVENS):
            for n in range(3):
                wager = next(wagers)
                fields: dict[str, Any] = {"tables": {"progressive": table}, "progressive": wager}
                fields |= (
                    {"ante": "5", "play": (1, 0, 3)[n]} if n < 2 or "flush" not in name else {"trips": "5"}
                )
                if n != 1:
                    fields["meters"] = {"main": ("12345.67", "", "9000")[n]}
                if n == 2 and "royal" not in name:
                    fields["house"] = {"progressive_wager": wager}
                if n == 1 and name in [r[0] for r in ROYALS]:
                    fields["house"] = {"seed": {"main": "2500.50"}, "reserve": {"main": "11.11"}}
                kind = f"royal flush {name}" if (name, hole, board) in ROYALS else name
                yield Made(f"{table}: {kind}", one("uth-sd", dealt(rng, hole, board), **fields))


def together() -> Iterator[Made]:
    """Yield rounds with several awards, from one meter and from several, sequential and shared, and with envy."""
    for table in (*PMG, *MA):
        for n, (name, board, dealer, holes) in enumerate(TOGETHER):
            for awards in ("sequential", "shared"):
                for bettors in ("all", "some"):
                    house: dict[str, Any] = {"awards": awards}
                    data: dict[str, Any] = {"rulebook": BOOK[table], "tables": {"progressive": table}}
                    if bettors == "all":
                        data["meters"] = meter_amounts(table, n)
                        house["reserve"] = {names(table)[0]: "750.25"}
                    seats: list[dict[str, Any]] = []
                    for at, (number, hole) in enumerate(holes):
                        seat: dict[str, Any] = {
                            "seat": number,
                            "hole": hole,
                            "ante": "5",
                            "play": (1, 0, 4)[at % 3],
                        }
                        if bettors == "all" or at == len(holes) - 1:
                            seat["progressive"] = WAGER[table]
                        seats.append(seat)
                    data |= {"house": house, "board": board, "dealer": dealer, "seats": seats}
                    who = "all bet it" if bettors == "all" else "one bets it"
                    yield Made(f"{table}: {name}, {awards}, {who}", data)


def dakota() -> Iterator[Made]:
    """Yield South Dakota rounds: a changed wager, a player at two seats, a progressive with trips alone, a dealer's royal."""
    for table, wager in (
        ("PMG-01", "2"),
        ("PMG-01", "0.50"),
        ("PMG-02", "1"),
        ("PMG-02", "10"),
        ("PMG-02", "2.50"),
    ):
        for name, board, dealer, holes in TOGETHER:
            seats = [
                {"seat": s, "hole": hole, "ante": "5", "play": 1, "progressive": wager} for s, hole in holes
            ]
            house = {"progressive_wager": wager}
            data = {"rulebook": "uth-sd", "tables": {"progressive": table}, "house": house}
            about = f"{table} at {wager}: {name}"
            yield Made(about, data | {"board": board, "dealer": dealer, "seats": seats}, ("SD-18-e",))
    for table in PMG:
        for name, board, dealer, holes in TOGETHER:
            seats = [
                {
                    "seat": s,
                    "player": ("Ann", "Bo")[n // 2],
                    "hole": hole,
                    "trips": "5",
                    "progressive": WAGER[table],
                }
                for n, (s, hole) in enumerate(holes)
            ]
            data = {
                "rulebook": "uth-sd",
                "tables": {"progressive": table},
                "house": {"more_positions": True},
            }
            about = f"{table}: {name}, two positions of one player, trips alone"
            yield Made(about, data | {"board": board, "dealer": dealer, "seats": seats}, ("SD-2-c",))
        cards = ("9c 9d", "Qs Js Ts 4d 4c", "As Ks")
        data = one(
            "uth-sd", cards, tables={"progressive": table}, ante="5", play=1, progressive=WAGER[table]
        )
        yield Made(f"{table}: the dealer's royal brings no envy", data)
    for n in (1, 3, 6):
        for table in UTHP:
            pool = iter(("2c 2h", "3d 3c", "5d 5c", "6h 6d", "7c 7d", "8h 8c"))
            seats = [
                {"seat": s, "hole": next(pool), "ante": "5", "play": 1, "progressive": "1"}
                for s in range(1, n + 1)
            ]
            meter: dict[str, Any] = {"rulebook": "uth-sd", "meters": {"main": "20000"}}
            meter["tables"] = {"progressive": table}
            meter |= {"board": "As Ks Qs Js Ts", "dealer": "9h 9d", "seats": seats}
            yield Made(f"{table}: {n} players, a royal on the board", meter)


def envied() -> Iterator[Made]:
    """Yield rounds in which two hands trigger envy for two players, so that the order of the lines is visible."""
    cards = {1: "7h 8h", 2: "Qh Kh", 4: "2c 2d", 6: "3c 3d"}
    for book, table, bet in (
        ("uth-sd", "PMG-01", "1"),
        ("uth-ma", "PTMGL01", "5"),
        ("uth-ma", "PTMGLML02", "5"),
    ):
        for bettors in ((4, 6), (1, 2, 4, 6), (2, 6)):
            seats = [
                {"seat": n, "hole": hole, "ante": "5", "play": 0 if n == 6 else 1}
                | ({"progressive": bet} if n in bettors else {})
                for n, hole in cards.items()
            ]
            data = {
                "rulebook": book,
                "tables": {"progressive": table},
                "board": "9h Th Jh 4c 4d",
                "dealer": "5s 5d",
            }
            about = f"{table}: two straight flushes, envy at seats {', '.join(map(str, bettors))}"
            yield Made(about, data | {"seats": seats})


def unplayed() -> Iterator[Made]:
    """Yield rounds without a bet on the progressive: its meters stay at their seeds."""
    for table, book in BOOK.items():
        seats = [{"seat": 1, "hole": "2c 2d", "ante": "5", "play": 1}]
        data = {
            "rulebook": book,
            "tables": {"progressive": table},
            "board": "9h Th Jh 4c 4d",
            "dealer": "5s 5d",
        }
        yield Made(f"{table}: offered, nobody bets it", data | {"seats": seats})


def rounds() -> Iterator[Made]:
    """Yield every round of this module."""
    yield from envied()
    yield from unplayed()
    yield from flop_lines()
    yield from seven_lines()
    yield from together()
    yield from dakota()
