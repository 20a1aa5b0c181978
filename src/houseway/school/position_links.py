"""A position as a short text, for links: the rulebook, the start of its hash, and the cards.

For example "uth-ma~1f0c9a52b7de~Jd3c~Jh9c8h". The number of board cards gives the street. The text has
nothing about the player or the dealer's cards.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from houseway.cards import Card, cards
from houseway.errors import InputError
from houseway.exact.shootout_game import read_game
from houseway.school.game_values import GameValues
from houseway.school.player_decisions import FOUR_CARDS, STREETS, Street
from houseway.school.positions import Position, position

HASH_LETTERS: Final = 12
"""The number of letters of the rulebook's hash in a link."""
LONGEST: Final = 120
_CARDS: Final = "(?:[2-9TJQKA][cdhs])"
_FORM: Final = re.compile(
    rf"([a-z0-9][a-z0-9._-]{{0,63}})~([0-9a-f]{{{HASH_LETTERS}}})~({_CARDS}{{2}}|{_CARDS}{{4}})"
    rf"(?:~({_CARDS}{{3}}|{_CARDS}{{5}}))?"
)


class LinkError(InputError, ValueError):
    """A text is not the link of a position. The message says what is wrong."""


@dataclass(frozen=True, slots=True)
class PositionLink:
    """The content of a link."""

    rulebook: str
    """The rulebook's id."""
    hash: str
    """The first letters of the rulebook's hash."""
    hole: tuple[Card, ...]
    board: tuple[Card, ...]

    @property
    def street(self) -> Street:
        """The street of the position."""
        return FOUR_CARDS if len(self.hole) == 4 else STREETS[len(self.board)]

    def is_of(self, game: GameValues) -> bool:
        """True if the link is to a position of this game."""
        return game.terms.hash.startswith(self.hash) and game.shootout == (len(self.hole) == 4)


def write_link(game: GameValues, hole: Sequence[Card], board: Sequence[Card]) -> str:
    """Return the link of a position."""
    parts = [game.terms.rulebook.id, game.terms.hash[:HASH_LETTERS], "".join(map(str, hole))]
    return "~".join([*parts, "".join(map(str, board))] if board else parts)


def read_link(text: str) -> PositionLink:
    """Return the content of a link; raise LinkError if it is not exactly one."""
    form = _FORM.fullmatch(text) if len(text) <= LONGEST else None
    if form is None:
        raise LinkError("this link is not complete; copy the whole link")
    rulebook, digest, held, shown = form.groups(default="")
    hole, board = _cards(held), _cards(shown)
    if len(hole) == 4 and board:
        raise LinkError("a position with four cards has no board")
    if len(hole) == 2 and (twice := [card for card, n in Counter((*hole, *board)).items() if n > 1]):
        raise LinkError(f"the link has {twice[0]} twice")
    return PositionLink(rulebook, digest, hole, board)


def linked_position(game: GameValues, link: PositionLink) -> Position:
    """Return the position of a link; raise LinkError if it is not one of this game."""
    if not link.is_of(game):
        raise LinkError(f"the rules of {link.rulebook} have changed, or the link is to another game")
    if game.shootout:
        decks = read_game(game.terms.rulebook).decks
        if max(Counter(link.hole).values()) > decks:
            raise LinkError(f"the shoe has each card only {decks} times")
    try:
        return position(game, link.hole, link.board)
    except (KeyError, ValueError, StopIteration) as error:
        raise LinkError("the game has no decision with these cards") from error


def _cards(text: str) -> tuple[Card, ...]:
    return cards(" ".join(text[at : at + 2] for at in range(0, len(text), 2))) if text else ()
