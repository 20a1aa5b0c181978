"""Rounds for "Find the mistake": dealt from a seed, with one planted mistake or none.

Every round is judged before it is shown. A round with a mistake has exactly the slips of that mistake, and
a clean round has none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

import msgspec

from houseway.client.find_messages import PLACES, WatchedRound
from houseway.engine.fold_registry import seat_of
from houseway.engine.table import Table
from houseway.shoe.seeded_draws import SeedDraws
from houseway.training import acts as a
from houseway.training.act_list import verdict_text
from houseway.training.acts import seat_named
from houseway.training.chips import total
from houseway.training.drills.question import LEVELS
from houseway.training.judge import Judgement, Verdict, judge
from houseway.training.mistakes.all_mistakes import CATALOGUE
from houseway.training.mistakes.bet_changes import (
    BETS,
    CAPPED,
    BetChange,
    BetMistake,
    bet_changes,
    capped_bet,
    legal_raise,
)
from houseway.training.mistakes.mistake import BY_KEY, DealerMistake
from houseway.training.mistakes.planted_dealer import PlantedDealer
from houseway.training.mistakes.report_mistakes import HANDLED
from houseway.training.mistakes.watch_table import StuckRoundError, WatchTable
from houseway.training.mistakes.watch_view import step_views, watched_round
from houseway.training.mistakes.watch_words import DEALER
from houseway.training.model_dealer import right_act
from houseway.training.words import amount_words

CLEAN_OF: Final = 5
"""One round of this many has no mistake."""
DISTRACTION_OF: Final = 3
"""From level 2, one clean round of this many has an irregularity that the dealer reports at once."""
TRIES: Final = 60
"""The number of deals that are tried for a round."""
BETTING_CLOSED: Final = "Betting was closed."
AnyMistake = DealerMistake | BetMistake
PLANTED: Final[tuple[AnyMistake, ...]] = (
    *(mistake for mistake in CATALOGUE if mistake.in_replays),
    *CAPPED,
    *BETS,
)
"""The mistakes of replays."""


class PlantedAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The planted mistake, and the reports of it that are right. A clean round has no name."""

    name: str = ""
    families: tuple[str, ...] = ()
    """The families under which a report is right; the best one first."""
    seats: tuple[int, ...] = ()
    places: tuple[str, ...] = ()
    """The places of the acts that are not at a seat: the dealer, the board or the deck."""
    wagers: tuple[str, ...] = ()
    amounts: tuple[int, ...] = ()
    """The amounts that are right in cents. Positive: the player got too much, or bet more."""
    step: int = 0
    facts: tuple[str, ...] = ()
    """A sentence for each slip."""
    clause: str | None = None


class FindRound(msgspec.Struct, frozen=True):
    """A round to watch, and its answer. Show the answer only after the report."""

    replay: WatchedRound
    answer: PlantedAnswer
    deal: str = ""
    """The seed of the cards, bets and decisions."""


class NoRoundError(RuntimeError):
    """No deal of a seed gave a round."""


def find_round(tables: Sequence[Table], seed: str, level: int, name: str = "") -> FindRound:
    """Return the round of a seed. The same seed and tables always give the same round.

    `name` asks for one kind of mistake; by default the seed chooses.
    """
    if level not in LEVELS:
        raise ValueError(f"a level is 1, 2 or 3 (got {level})")
    clean = not name and SeedDraws(seed, "find clean").randrange(CLEAN_OF) == 0
    for attempt in range(TRIES):
        draws = SeedDraws(seed, f"find {level} {attempt}")
        table, deal = draws.choice(tables), f"{seed}/{attempt}"
        watched, counts = _dealt(table, deal, level, name)
        if watched is None:
            continue
        if clean:
            if level > 1 and draws.randrange(DISTRACTION_OF) == 0:
                watched = _with_distraction(watched)
            return FindRound(_replay(watched, _raises(watched)), PlantedAnswer(), watched.seed)
        planted = _planted(watched, counts, draws, name)
        if planted is not None:
            return planted
    raise NoRoundError(f"no round with {name or 'a mistake'} in {TRIES} deals of {tables[0].book.id}")


def _dealt(table: Table, seed: str, level: int, name: str) -> tuple[WatchTable | None, Counter[str]]:
    """Return a round by the document, and how often the moment of each mistake came."""
    counts: Counter[str] = Counter()
    listed = [
        one
        for one in PLANTED
        if isinstance(one, DealerMistake) and one.level <= level and name in ("", one.name)
    ]

    def look(at: WatchTable) -> a.ChairAct | None:
        right = right_act(at.table, at.chair)
        if right is not None:
            counts.update(one.name for one in listed if one.moment(at, right))
        return None

    watched = WatchTable(table, seed, level)
    try:
        watched.play(look)
    except StuckRoundError:
        return None, counts
    judged = judge(table, watched.chair)
    return (None if judged.slips or judged.differences else watched), counts


def _with_distraction(clean: WatchTable) -> WatchTable:
    """Deal a clean round again with an irregularity that the dealer handles rightly, if one can happen."""
    watched = WatchTable(clean.table, clean.seed, clean.level)
    try:
        watched.play(PlantedDealer(HANDLED).choose)
    except (StuckRoundError, ValueError):
        return clean
    judged = judge(clean.table, watched.chair)
    return clean if judged.slips or judged.differences else watched


def _planted(clean: WatchTable, counts: Counter[str], draws: SeedDraws, name: str) -> FindRound | None:
    """Return the round with a mistake that fits; None if none does. Each family is equally likely."""
    bets: dict[str, list[BetChange]] = {}
    for bet in BETS:
        if bet.level <= clean.level and name in ("", bet.name):
            bets[bet.name] = list(bet_changes(clean.table, bet, clean.chairs))
    fits: list[AnyMistake] = [
        one for one in PLANTED if (counts[one.name] or bets.get(one.name)) and name in ("", one.name)
    ]
    while fits:
        families = sorted({one.family for one in fits})
        family = draws.choice(families)
        kind = draws.choice([one for one in fits if one.family == family])
        if isinstance(kind, BetMistake):
            planted: FindRound | None = _with_bet(
                clean, kind.name, kind.family, draws.choice(bets[kind.name])
            )
        else:
            planted = _with_mistake(clean, kind, draws.randrange(counts[kind.name]))
        if planted is not None:
            return planted
        fits.remove(kind)
    return None


def _replay(watched: WatchTable, bets: Sequence[BetChange]) -> WatchedRound:
    return watched_round(watched.table, step_views(watched.chair, watched.chairs), bets)


def _raises(watched: WatchTable, *planted: BetChange) -> tuple[BetChange, ...]:
    """Return the changes of bets in a round. From level 2, half of the rounds have one that is allowed."""
    extra = None
    if watched.level > 1 and SeedDraws(watched.seed, "find raise").randrange(2) == 0:
        extra = legal_raise(watched.table, watched.chairs, planted)
    return (*((extra,) if extra is not None else ()), *planted)


def _step_of(watched: WatchTable, entry: int, bets: Sequence[BetChange]) -> int:
    """Return the number of the step of an input. A change of a bet has the number of its input."""
    numbers = (one.entries[-1].number for one in watched.chairs)
    place = next(place for place, number in enumerate(numbers, 1) if number == entry)
    return place + sum(bet.entry < entry for bet in bets)


def _with_bet(
    watched: WatchTable, name: str, family: str, bet: BetChange, facts: tuple[str, ...] = ()
) -> FindRound:
    """Return a round in which a player changes a bet after betting is closed."""
    bets = _raises(watched, bet)
    answer = PlantedAnswer(
        name=name,
        families=(family,),
        seats=(bet.seat,),
        wagers=(bet.wager,),
        amounts=(bet.after - bet.before,),
        step=_step_of(watched, bet.entry, bets),
        facts=(f"{bet.says} {BETTING_CLOSED}", *facts),
        clause=bet.clause,
    )
    return FindRound(_replay(watched, bets), answer, watched.seed)


def _with_mistake(clean: WatchTable, mistake: DealerMistake, skip: int) -> FindRound | None:
    """Deal a round again with a mistake; None if the judge does not find exactly its slips."""
    dealer = PlantedDealer(mistake, skip)
    watched = WatchTable(clean.table, clean.seed, clean.level)
    try:
        watched.play(dealer.choose)
    except (StuckRoundError, ValueError, LookupError):
        # The mistake leads to a table at which the dealer cannot continue.
        return None
    judged = judge(watched.table, watched.chair)
    slips = Counter(slip.kind for slip in judged.slips)
    if not dealer.done or slips != Counter(mistake.slips) or judged.differences:
        return None
    if mistake in CAPPED:
        bet = capped_bet(watched.table, watched.chairs, dealer.entry)
        facts = tuple(f"{amount_words(slip.amount)}." for slip in judged.slips)
        return _with_bet(watched, mistake.name, mistake.family, bet, facts) if bet is not None else None
    bets = _raises(watched)
    step = _step_of(watched, dealer.entry, bets)
    answer = _answer(watched.table, mistake, dealer, judged, step)
    return FindRound(_replay(watched, bets), answer, watched.seed)


def _answer(
    table: Table, mistake: DealerMistake, dealer: PlantedDealer, judged: Judgement, step: int
) -> PlantedAnswer:
    slips = judged.slips
    acts = [act for slip in slips for act in (slip.act, slip.due) if act is not None]
    wagers = [act for act in acts if isinstance(act, a.WagerAct)]
    money = BY_KEY[mistake.family].has_wager
    named = wagers if money and wagers else [*acts, *([dealer.act] if dealer.act else [])]
    seats = {seat_named(act) for act in named} | (
        {seat_of(slip.at) for slip in slips} if not money else set()
    )
    names = [act.wager for act in wagers] or [line.wager for line in dealer.lines]
    return PlantedAnswer(
        name=mistake.name,
        families=mistake.families,
        seats=tuple(sorted(seats - {0})),
        places=() if money else tuple(sorted({_place(act) for act in named} - {""})),
        wagers=tuple(dict.fromkeys(names)) if money else (),
        amounts=_amounts(slips) if money else (),
        step=step,
        facts=tuple(verdict_text(table, slip, DEALER) for slip in slips),
        clause=next((slip.clause for slip in slips if slip.clause), None),
    )


def _amounts(slips: Sequence[Verdict]) -> tuple[int, ...]:
    """Return the right amounts: the player's gain, stake included, or the difference in chips paid."""
    gain = sum(slip.amount for slip in slips)
    amounts = [gain]
    for slip in slips:
        if isinstance(slip.act, a.WagerAct) and isinstance(slip.due, a.WagerAct):
            amounts.append(_paid(slip.act) - _paid(slip.due))
    return tuple(dict.fromkeys(amount for amount in amounts if amount))


def _paid(act: a.WagerAct) -> int:
    return total(act.chips) if isinstance(act, a.Pay) else 0


def _place(act: a.ChairAct) -> str:
    """Return the place that an act is about, if it is not a seat: the dealer, the board or the deck."""
    if seat_named(act):
        return ""
    if isinstance(act, a.SetHand | a.ResetDealer):
        return "dealer"
    if isinstance(act, a.TakeStep) and act.what == "arrange":
        # The dealer arranges the flop.
        return "board"
    named = str(getattr(act, "place", "") or getattr(act, "at", "") or getattr(act, "what", ""))
    return next((place for place in PLACES if named.startswith(place)), "deck")
