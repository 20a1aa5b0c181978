"""Practice: single decisions without whole rounds, chosen by frequency and by difficulty, all from a seed.

Rounds are dealt from a seed, and a position is kept with a probability proportional to what the reference
player of `choice_model` gives up in it. So a kept position is as frequent as in the game, times its
expected cost: thin spots cost little, plain ones are rarely missed, and most positions are in between.

A position after the flop or the river occurs only if the best play reaches it: a player with aces who
raised has no decision after the flop. If a wanted kind is never reached so, this rule is dropped.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Final, Literal

from houseway.cards import DECK, Card
from houseway.exact.shootout_game import read_game
from houseway.school.choice_model import difficulty, expected_loss
from houseway.school.game_values import GameValues
from houseway.school.player_decisions import CHECK, EVERY_STREET, FOUR_CARDS, STREETS, Decision, Street
from houseway.school.position_kinds import KINDS, Kind, kind_of
from houseway.school.position_links import read_link, write_link
from houseway.school.positions import Position, position
from houseway.school.themes import THEMES, Theme, themes_of
from houseway.shoe.seeded_draws import SeedDraws

Mode = Literal["mixed", "street", "leaks", "endless", "timed"]
MODES: Final[tuple[Mode, ...]] = ("mixed", "street", "leaks", "endless", "timed")
Origin = Literal["dealt", "mixed", "timed", "street", "weak kind", "endless", "repeated"]
"""How a position came to be shown. Only a dealt one has cards that were not chosen."""

DEALT_SHARE: Final = 0.15
"""The share of dealt positions in the modes that mix all kinds."""
WEAK_SHARE: Final = 0.7
"""The share of positions from weak kinds in the mode "leaks"."""
REPEATED_SHARE: Final = 0.3
"""The share of missed positions, as long as any is due."""
MOST_COST: Final = 0.025
"""A position in which the reference player gives up this many antes or more is always kept."""
TRIES: Final = 2_000
"""The number of deals after which the costliest position so far is taken."""
MOST_REACHED: Final = 10_000
"""The number of deals after which a position counts even if best play does not reach it."""
MOST_TRIES: Final = 20_000
"""The number of deals after which a kind or theme counts as impossible under a rulebook."""
LONGEST_SEED: Final = 200


class NoPositionError(ValueError):
    """No deal of this game gives such a position. The message says which."""


@dataclass(frozen=True, slots=True)
class Practice:
    """What to practise."""

    seed: str
    mode: Mode = "mixed"
    street: Street | None = None
    """The street, for the mode "street"."""
    kind: str = ""
    theme: str = ""
    """The kind of position or the theme, for the mode "endless"."""
    weak: Mapping[str, float] = field(default_factory=dict)
    """The player's weak kinds and their costs, for the mode "leaks". Without any, the mode mixes all."""

    def __post_init__(self) -> None:
        if not 0 < len(self.seed) <= LONGEST_SEED:
            raise ValueError(f"the seed must have 1 to {LONGEST_SEED} characters (got {len(self.seed)})")
        if self.mode not in MODES:
            raise ValueError(f"there is no mode {self.mode!r}; the modes: {', '.join(MODES)}")
        if self.mode == "street" and self.street not in EVERY_STREET:
            raise ValueError(f"name a street: {', '.join(EVERY_STREET)}")
        if self.mode == "endless" and (self.kind in KINDS) == (self.theme in THEMES):
            raise ValueError("name one kind or one theme to practise")
        if unknown := [name for name, cost in self.weak.items() if name not in KINDS or not 0 < cost < 1e9]:
            raise ValueError(
                f"{unknown[0]!r} is not a kind of position, or its cost is not above 0 and below 1e9"
            )


@dataclass(frozen=True, slots=True)
class PracticePosition:
    """A position to practise.

    Before the answer, show `position.decision` and `badge` only: kind and themes would help.
    """

    position: Position
    kind: Kind
    themes: tuple[Theme, ...]
    difficulty: Decimal
    """In logits, see `choice_model`."""
    origin: Origin

    @property
    def badge(self) -> str:
        """The words that say that the cards were not dealt at random; empty for a dealt position."""
        return "" if self.origin == "dealt" else "chosen, not dealt"


def practice_position(
    game: GameValues, practice: Practice, number: int, due: Sequence[str] = ()
) -> PracticePosition:
    """Return the position of a practice session with this number, counted from 0.

    `due` lists links of missed positions that are due again; links to other games are ignored. The result
    depends on the arguments only. Raises NoPositionError if the game has no such position.
    """
    draws = SeedDraws(practice.seed, f"practice {game.terms.hash} {number}")
    own = [link for link in due if read_link(link).is_of(game)]
    if own and draws.random() < REPEATED_SHARE:
        link = read_link(own[0])
        return explained_position(game, position(game, link.hole, link.board), "repeated")
    match practice.mode:
        case "street":
            return _chosen(game, draws, "street", _PositionFilter(street=practice.street))
        case "endless":
            return _chosen(
                game, draws, "endless", _PositionFilter(kind=practice.kind, theme=practice.theme)
            )
        case "timed":
            return _chosen(game, draws, "timed", _PositionFilter())
    kinds = {name: cost for name, cost in practice.weak.items() if KINDS[name].street in streets_of(game)}
    if practice.mode == "leaks" and kinds and draws.random() < WEAK_SHARE:
        weak = draws.weighted(list(kinds), list(kinds.values()))
        return _chosen(game, draws, "weak kind", _PositionFilter(kind=weak))
    if draws.random() < DEALT_SHARE:
        return dealt_position(game, draws)
    return _chosen(game, draws, "mixed", _PositionFilter())


def dealt_position(game: GameValues, draws: SeedDraws) -> PracticePosition:
    """Return a dealt decision. All decisions that best play reaches are equally likely."""
    while True:
        streets = streets_of(game)
        spot = _dealt(game, draws, streets[draws.randrange(len(streets))])
        if spot is not None:
            return explained_position(game, spot, "dealt")


def chosen_position(game: GameValues, draws: SeedDraws, street: Street | None = None) -> PracticePosition:
    """Return a position of a street, or of any street, chosen by frequency and difficulty."""
    return _chosen(game, draws, "street" if street else "mixed", _PositionFilter(street=street))


def explained_position(game: GameValues, spot: Position, origin: Origin) -> PracticePosition:
    """Return a position with its kind, themes and difficulty."""
    kind = kind_of(game.terms, spot.decision)
    return PracticePosition(spot, kind, themes_of(game, spot), difficulty(spot.gaps), origin)


def streets_of(game: GameValues) -> tuple[Street, ...]:
    """Return the streets on which a game has decisions."""
    if game.shootout:
        return (FOUR_CARDS,)
    return tuple(STREETS[stage.board] for stage in game.terms.rulebook.stages if stage.board in STREETS)


def link_of(game: GameValues, shown: PracticePosition) -> str:
    """Return the link of a position."""
    decision = shown.position.decision
    return write_link(game, decision.hole, decision.board)


# --- dealing ---


@dataclass(frozen=True, slots=True)
class _PositionFilter:
    street: Street | None = None
    kind: str = ""
    theme: str = ""

    def streets(self, game: GameValues) -> tuple[Street, ...]:
        """Return the streets on which a wanted position can be."""
        named: tuple[Street, ...] = EVERY_STREET
        if self.street:
            named = (self.street,)
        elif self.kind:
            named = (KINDS[self.kind].street,)
        elif self.theme:
            named = THEMES[self.theme].streets
        return tuple(street for street in streets_of(game) if street in named)


def _chosen(
    game: GameValues, draws: SeedDraws, origin: Origin, wanted: _PositionFilter
) -> PracticePosition:
    """Return a wanted position, kept in proportion to its expected cost."""
    costliest: tuple[float, Position] | None = None
    for tried, spot in enumerate(_wanted_deals(game, draws, wanted)):
        if spot is not None and not spot.close:
            cost = expected_loss(spot.gaps)
            if draws.random() * MOST_COST < cost:
                return explained_position(game, spot, origin)
            if costliest is None or cost > costliest[0]:
                costliest = cost, spot
        if costliest is not None and tried >= TRIES:
            return explained_position(game, costliest[1], origin)
    what = wanted.kind or wanted.theme or wanted.street
    raise NoPositionError(f"{game.terms.rulebook.id} has no graded position of {what!r}")


def _wanted_deals(game: GameValues, draws: SeedDraws, wanted: _PositionFilter) -> Iterator[Position | None]:
    """Yield dealt positions, and None for each deal that gives no wanted one."""
    streets = wanted.streets(game)
    if not streets:
        return
    for tried in range(MOST_TRIES):
        street = streets[draws.randrange(len(streets))]
        spot = _dealt(game, draws, street, wanted.kind, reached=tried < MOST_REACHED)
        if spot is not None and wanted.theme and THEMES[wanted.theme] not in themes_of(game, spot):
            spot = None
        yield spot


def _dealt(
    game: GameValues, draws: SeedDraws, street: Street, kind: str = "", *, reached: bool = True
) -> Position | None:
    """Deal a round; return its position on a street.

    Return None if the position has another kind, or if best play does not reach it although `reached` asks
    for that.
    """
    if game.shootout:
        decks = read_game(game.terms.rulebook).decks
        hole = draws.deal(DECK * decks, 4)
        return position(game, hole) if _is_kind(game, kind, FOUR_CARDS, hole, ()) else None
    shown = next(count for count, name in STREETS.items() if name == street)
    dealt = draws.deal(DECK, 2 + shown)
    hole, board = dealt[:2], dealt[2:]
    if not _is_kind(game, kind, street, hole, board):
        return None
    for count, earlier in STREETS.items():
        played = reached and count < shown and earlier in streets_of(game)
        if played and position(game, hole, board[:count]).best != CHECK:
            return None
    return position(game, hole, board)


def _is_kind(
    game: GameValues, kind: str, street: Street, hole: tuple[Card, ...], board: tuple[Card, ...]
) -> bool:
    return not kind or kind_of(game.terms, Decision(street, hole, board, "", ())).name == kind
