"""The director of a scenario: draws from the seed what happens in a round, and finds the moment for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from houseway.engine import commands as c
from houseway.engine.table import Table
from houseway.shoe.seeded_draws import SeedDraws
from houseway.training import acts as a
from houseway.training import conduct as k
from houseway.training.chair import WRONG_COUNT, Chair, Conduct, Happening
from houseway.training.scenarios.deck import ScenarioCard, ScenarioDeck
from houseway.training.scenarios.kinds import ANY, EVERY
from houseway.training.scenarios.player_conduct import SAYS, possible_conduct
from houseway.training.scenarios.row_plan import DealtRounds, RowPlan
from houseway.training.scenarios.rows import all_happenings
from houseway.training.scenarios.wrong_bets import allowed_tip, tipped_bets, wrong_bets

SLOWNESS: Final = (5_000, 9_000, 15_000)
"""The milliseconds in which a slow player decides, by difficulty, if the card does not say."""
MOST_SKIPPED: Final = 3
"""Below this many opportunities, a happening may wait for a later one."""
PERCENT: Final = 100
BETS: Final = frozenset({k.WRONG_CHIPS, k.TIP})
"""The kinds that happen when a player bets."""


class ScenarioDraw:
    """A card that is to happen as soon as it can."""

    def __init__(self, card: ScenarioCard, draws: SeedDraws, *, lasts: bool) -> None:
        self.card = card
        self.draws = draws
        self.lasts = lasts
        """True if it waits for a later round when it cannot happen in this one."""
        self.skip = 0 if card.kind == EVERY else draws.randrange(MOST_SKIPPED)
        """The number of opportunities to let pass."""
        self.ready_at: int | None = None
        """The time from which it may happen, once it has become possible."""


class Director:
    """Decides what happens at a training table. The same seed and acts give the same happenings."""

    def __init__(self, deck: ScenarioDeck, seed: str, parts: Sequence[DealtRounds] = ()) -> None:
        self._deck = deck
        self._seed = seed
        self._round = 0
        self._pending: list[ScenarioDraw] = []
        self._next: ScenarioDraw | None = None
        self._plans: dict[int, RowPlan] = {}
        """The plan of each card of every irregularity, by the card's place in the deck."""
        for index, card in enumerate(deck.cards if parts else ()):
            if card.kind == EVERY:
                rounds = (n for n in range(1, parts[-1].last + 1) if self._draw(n, index)[1])
                draws = SeedDraws(seed, f"scenario rows {index}")
                self._plans[index] = RowPlan(parts, rounds, draws)
                self._pending.append(ScenarioDraw(card, draws, lasts=True))

    @property
    def times(self) -> tuple[int, ...]:
        """The times from which happenings that wait for their time may happen."""
        return tuple(one.ready_at for one in self._pending if one.ready_at is not None)

    def follow(self, number: int) -> None:
        """Draw the cards of the rounds up to this one.

        A card with a chance that could not happen in its round is dropped. A card with round numbers waits
        for a later round. Every irregularity has a plan of its own.
        """
        while self._round < number:
            self._round += 1
            for plan in self._plans.values():
                plan.next_round()
            self._pending = [one for one in self._pending if one.lasts]
            for index, card in enumerate(self._deck.cards):
                draws, happens = self._draw(self._round, index)
                waits = any(one.card is card for one in self._pending)
                if happens and not waits and card.kind != EVERY:
                    self._pending.append(ScenarioDraw(card, draws, lasts=self._round in card.rounds))

    def _draw(self, number: int, index: int) -> tuple[SeedDraws, bool]:
        """Return the draws of a card in a round, and whether the card happens in it."""
        draws, card = SeedDraws(self._seed, f"scenario {number} {index}"), self._deck.cards[index]
        drawn = draws.randrange(PERCENT) < card.chance
        return draws, drawn or number in card.rounds

    def bet(self, table: Table, chair: Chair, bet: c.Bet) -> tuple[Conduct | None, c.Bet]:
        """Return the conduct in place of a player's bet, or None; and the bet, with a tip if allowed."""
        for one in [one for one in self._pending if one.card.kind in BETS and _at_seat(one.card, bet.seat)]:
            if one.card.kind == k.TIP and (tipped := allowed_tip(table, chair.state, bet)) is not None:
                self._pending.remove(one)
                return None, tipped
            makes = wrong_bets if one.card.kind == k.WRONG_CHIPS else tipped_bets
            listed = makes(table, chair.state, bet)
            if listed:
                self._pending.remove(one)
                return _speaking(one, one.draws.choice(listed)), bet
        return None, bet

    def slow(self, number: int) -> tuple[Conduct, int] | None:
        """Return the conduct of a player who takes time to decide, and the milliseconds; None if quick."""
        slow = (one for one in self._pending if one.card.kind == k.SLOW and _at_seat(one.card, number))
        one = next(slow, None)
        if one is None:
            return None
        self._pending.remove(one)
        after = one.card.after or SLOWNESS[one.card.difficulty - 1]
        return _speaking(one, Conduct(kind=k.SLOW, seat=number)), after

    def happenings(self, table: Table, chair: Chair, time: int) -> tuple[Conduct | Happening, ...]:
        """Return what happens now, as alternatives in order of preference; empty if nothing does.

        Nothing new happens while the trainee has an irregularity to report or a player to answer.
        """
        if chair.open or any(one.right is not None for one in chair.conduct) or _between_cards(chair):
            return ()
        for one in self._pending:
            listed = self._possible(table, chair, one.card)
            if not listed:
                one.ready_at = None
                continue
            if one.skip:
                one.skip -= 1
                continue
            if one.ready_at is None:
                one.ready_at = time + one.card.after
            if time < one.ready_at:
                continue
            one.ready_at = None
            one.draws.shuffle(listed)
            self._next = one
            return tuple(_speaking(one, x) if isinstance(x, Conduct) else x for x in listed)
        return ()

    def happened(self, table: Table, chair: Chair, happening: Conduct | Happening) -> None:
        """Take note of what has happened."""
        assert self._next is not None
        if isinstance(happening, Happening):
            for plan in self._plans.values():
                plan.note(table, chair, happening)
        if self._next.card.kind != EVERY:
            self._pending.remove(self._next)

    def _possible(self, table: Table, chair: Chair, card: ScenarioCard) -> list[Conduct | Happening]:
        """Return what a card could make happen now."""
        if card.kind in k.CONDUCT:
            listed = possible_conduct(table, chair, card.kind)
            return [one for one in listed if _at_seat(card, one.seat)]
        if card.kind == EVERY:
            plan = next(plan for index, plan in self._plans.items() if self._deck.cards[index] is card)
            return list(plan.possible(table, chair))
        kinds = None if card.kind == ANY else (card.kind,)
        return [one for one in all_happenings(table, chair, kinds) if _names(card, one)]


def _between_cards(chair: Chair) -> bool:
    """True if the dealer has turned up some community cards of a group, and not yet the others."""
    acts = [entry.input for entry in chair.entries if isinstance(entry.input, a.ChairAct)]
    turned = bool(acts) and isinstance(acts[-1], a.TurnUp) and acts[-1].place == "board"
    now = chair.queue[0].act if chair.queue else None
    return turned and isinstance(now, a.TurnUp) and now.place == "board"


def _names(card: ScenarioCard, one: Happening) -> bool:
    """True if a card can mean this irregularity."""
    if card.kind == WRONG_COUNT:
        # Without a place, a card is missing from the deck. At the dealer, two cards stick together.
        return (one.kind, one.at) == (card.kind, card.at)
    place = not card.at or one.at == card.at or one.at.split(" ")[0] == card.at
    return place and card.kind in (ANY, one.kind)


def _at_seat(card: ScenarioCard, number: int) -> bool:
    return card.at in ("", "seat", f"seat {number}")


def _speaking(one: ScenarioDraw, conduct: Conduct) -> Conduct:
    text = one.card.says or one.draws.choice(SAYS[conduct.kind])
    return replace(conduct, text=text)
