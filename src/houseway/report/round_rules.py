"""The rules of a round in sentences, each with its clause."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from houseway.money import Payment
from houseway.report.document import TextLine
from houseway.report.payment_words import result_text
from houseway.rules.compare.cases import WagerCase, folds, low_win, ties, unqualified
from houseway.rules.compare.value_words import called, cite, entry_in_words, in_words, named, play_in_words
from houseway.rules.odds_words import wording
from houseway.rules.options import BY_NAME
from houseway.rules.rulebook import Rulebook
from houseway.rules.stages import Stage

BEFORE_DEAL = ("tips",)
"""Parameters printed with the wagers before the deal."""

AFTER_DEAL = ("keep", "split", "second_bonus", "dealer_splits", "flop")
"""Parameters printed with the choices after the deal."""

FOLDED_TRIPS: Final = {
    "settled when folds are collected": "trips is settled when the dealer collects the folded cards",
    "held, settled when reached": (
        "trips is settled when the dealer reaches that hand, if its cards stay on the table; otherwise, "
        "when the player folds"
    ),
    "held, settled at the end of the round": (
        "the cards stay on the table, and trips is settled at the end of the round"
    ),
}
"""What happens to trips on a fold, by the value of the option `folded_trips`."""


def round_lines(book: Rulebook) -> Iterator[TextLine]:
    """Yield the rules of a round, from the first wager to the last payment."""
    if book.entry:
        yield TextLine(f"To be dealt in: {entry_in_words(book)}.", cite(book.entry.basis))
    for wager in book.wagers.values():
        if wager.equals:
            text = f"The {called(book, wager.name)} equals the {called(book, wager.equals.value)}."
            yield TextLine(text, cite(wager.equals.basis))
    yield from _options(book, BEFORE_DEAL)
    yield from map(_stage, book.stages)
    yield from _options(book, AFTER_DEAL)
    if book.house_way:
        way = book.house_way
        text = f"The dealer sets the hand by the house way (the {way.name}, version {way.version})."
        yield TextLine(text, cite(way.basis))
    yield from _results(book)


def _options(book: Rulebook, names: tuple[str, ...]) -> Iterator[TextLine]:
    for name in names:
        option = book.options.get(name)
        if option is not None and (option.value or option.value is False):
            title, value = BY_NAME[name].title, in_words(option.value, name, book.modes)
            yield TextLine(f"{title}: {value}.", cite(option.basis))


def _stage(stage: Stage) -> TextLine:
    choices = [f"play {play_in_words(stage)} the ante"] if stage.sizes else []
    choices += ["check"] if stage.check else []
    choices += ["fold"] if stage.fold else []
    bases = (stage.sizes.basis if stage.sizes else None, stage.check, stage.fold)
    return TextLine(f"{stage.name.capitalize()}: {', or '.join(choices)}.", cite(*bases))


def _results(book: Rulebook) -> Iterator[TextLine]:
    yield from _result_lines(book, "On a fold", folds(book))
    trips = book.options.get("folded_trips")
    if trips is not None:
        text = f"If a player with a trips bet folds, {FOLDED_TRIPS[trips.value]}."
        yield TextLine(text, cite(trips.basis))
    qualifier = book.options.get("qualifier")
    if qualifier is not None:
        yield TextLine(f"The dealer qualifies with a {qualifier.value} or better.", cite(qualifier.basis))
    yield from _result_lines(book, "If the dealer does not qualify", unqualified(book))
    yield from _result_lines(book, "On a tie", ties(book))
    for wager in book.wagers.values():
        low = low_win(book, wager) if wager.group.against_dealer else None
        if low is not None:
            hand, case = low
            text = f"The {called(book, wager.name)} pushes on a winning hand below a {hand}."
            yield TextLine(text, cite(*case.bases))


def _result_lines(book: Rulebook, when: str, results: list[WagerCase]) -> Iterator[TextLine]:
    same: dict[Payment, list[WagerCase]] = {}
    for case in results:
        same.setdefault(case.pays, []).append(case)
    for pays, cases in same.items():
        verb = result_text(pays, wording(book))
        if len(cases) > 1:
            verb = {"pushes": "push", "loses": "lose"}.get(verb, verb.replace("pays", "pay", 1))
        names = named(book, (case.wager for case in cases))
        bases = [basis for case in cases for basis in case.bases]
        yield TextLine(f"{when}, the {names} {verb}.", cite(*bases))
