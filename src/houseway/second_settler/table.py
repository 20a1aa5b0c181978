"""A round as read from the input, with amounts in cents."""

from dataclasses import dataclass, field

Limits = dict[str, tuple[int | None, int | None]]


@dataclass(slots=True)
class House:
    """House settings with their defaults."""

    awards: str = "sequential"
    seed: int = 1_000_000
    reserve: dict[str, int] = field(default_factory=dict)
    max_payout: int | None = None
    ante_return: str = "refund_pass"
    rounding: str = "down"
    more_positions: bool = False
    bet_limit_scope: str = "round"
    match_play: bool = False
    tips: bool = False
    progressive_wager: int | None = None
    cover_all_low: str = "lose"
    folded_progressive: str = "last"
    trips_alone: str = "stays"
    tip_limit: str = "bet limit"
    approval_scope: str = "wager"


@dataclass(slots=True)
class Seat:
    """A seat of an Ultimate Texas Hold'em round.

    `play` is the multiple of the ante: 0 for a fold, and None if there is no decision.
    """

    seat: int
    player: str
    hole: list[int]
    ante: int = 0
    trips: int = 0
    progressive: int = 0
    cover_all: int = 0
    play: int | None = None
    coupon: int = 0
    tips: dict[str, int] = field(default_factory=dict)
    best: tuple[int, ...] = ()
    first_five: tuple[int, ...] = ()


@dataclass(slots=True)
class UltimateRound:
    """An Ultimate Texas Hold'em round. `progressive_table` is empty if no progressive is in use."""

    book: str
    mode: str
    board: list[int]
    dealer: list[int]
    seats: list[Seat]
    trips_table: str
    progressive_table: str
    progressive_wager: int | None
    meters: dict[str, int]
    limits: Limits
    house: House


@dataclass(slots=True)
class ShootoutHand:
    """One hand of two cards with its wagers."""

    seat: int
    hand: int
    two: list[int]
    wager: int
    bonus: int
    tips: dict[str, int] = field(default_factory=dict)
    best: tuple[int, ...] = ()


@dataclass(slots=True)
class ShootoutRound:
    """A Texas Shootout round. `house_way` has the cards of the house way if the dealer kept other cards."""

    board: list[int]
    dealer: list[int]
    hands: list[ShootoutHand]
    bonus_table: str
    rounding: str
    house_way: str
