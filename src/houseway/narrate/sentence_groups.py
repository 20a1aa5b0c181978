"""Join sentences about the same act by several seats, about one deal, or about the wagers of one hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from houseway.engine.evolve import seat_of
from houseway.narrate.patterns import cards_counted
from houseway.narrate.sentences import (
    Amount,
    Cards,
    CardWords,
    Owner,
    Seats,
    Sentence,
    Verb,
    WagerWords,
    Words,
)
from houseway.rules.compare.value_words import listed
from houseway.wording import place_name, wager_name

Dealt = Mapping[str, tuple[int, Cards]]
"""For each place, the number of cards dealt and the cards that the reader may see."""


class SentenceGroup:
    """A list of sentences that joins each new sentence to an earlier one with the same key."""

    def __init__(self) -> None:
        self.sentences: dict[int, Sentence] = {}
        """The sentences by number, from 1."""
        self._numbers: dict[object, int] = {}

    def add(self, sentence: Sentence) -> int:
        """Add a sentence and return the number of the sentence that now contains it."""
        key = _key(sentence)
        number = self._numbers.get(key, len(self.sentences) + 1)
        known = self.sentences.get(number)
        self.sentences[number] = sentence if known is None else _join(known, sentence)
        if key is not None:
            self._numbers[key] = number
        return number


def group(sentences: Iterable[Sentence]) -> list[Sentence]:
    """Return the sentences after joining; a joined sentence takes the place of its first part."""
    grouped = SentenceGroup()
    for sentence in sentences:
        grouped.add(sentence)
    return list(grouped.sentences.values())


def retold(sentences: Iterable[Sentence]) -> list[Sentence]:
    """Return the sentences of one passage, joined and without repetition.

    Wins of one hand at the same odds become one sentence, and a seat is named only in the first of several
    sentences about the same hand.
    """
    told: list[Sentence] = []
    for sentence in group(sentences):
        same = next((n for n, earlier in enumerate(told) if _won_alike(earlier, sentence)), -1)
        if same >= 0:
            told[same] = _join_wins(told[same], sentence)
        else:
            told.append(sentence)
    named: set[tuple[int, int]] = set()
    for n, sentence in enumerate(told):
        hand = (sentence.seat, sentence.hand)
        if hand in named:
            told[n] = _unnamed(sentence)
        named.add(hand)
    return told


def _won_alike(one: Sentence, other: Sentence) -> bool:
    """True if both sentences report wins of the same hand at the same odds, and nothing else."""
    return (
        all(s.wagers and s.wagers[0].result == "win" and _settles_own(s) for s in (one, other))
        and (one.seat, one.hand) == (other.seat, other.hand)
        and isinstance(one.object[-1], Amount)
        and isinstance(other.object[-1], Amount)
        and one.object[:-1] == other.object[:-1]
    )


def _join_wins(one: Sentence, other: Sentence) -> Sentence:
    wagers = (*one.wagers, *other.wagers)
    total = Amount(sum(wager.net for wager in wagers))
    actor: Words = (Owner(one.seat), f" {_named(one.hand, wagers)} ")
    return replace(one, actor=actor, object=(*one.object[:-1], total), wagers=wagers)


def _unnamed(sentence: Sentence) -> Sentence:
    """Return a sentence about a seat's wagers without the seat: "the blind pushed"."""
    if not sentence.wagers:
        return sentence
    if _settles_own(sentence):
        return replace(sentence, actor=("the", *sentence.actor[1:]))
    if sentence.wagers[0].result == "lose" and len(sentence.wagers) > 1:
        lost: Words = (f"the {_named(sentence.hand, sentence.wagers)} ",)
        return replace(sentence, actor=lost, object=(": ", sentence.object[-1]))
    return sentence


def _settles_own(sentence: Sentence) -> bool:
    """True if a settlement names the wager as its owner's: not a tip for the dealer."""
    return isinstance(sentence.actor[0], Owner)


def _named(hand: int, wagers: Iterable[WagerWords]) -> str:
    """Return the names of several wagers of a hand."""
    return ("second " if hand > 1 else "") + listed(wager_name(wager.name) for wager in wagers)


def _key(sentence: Sentence) -> object:
    """Return the key of a sentence; None if it is never joined to another."""
    if sentence.topic == "act":
        return (sentence.verb, sentence.object, sentence.stage)
    if sentence.wagers and sentence.wagers[0].result != "win" and isinstance(sentence.actor[0], Owner):
        return (sentence.seat, sentence.hand, sentence.wagers[0].result)
    return None


def _join(one: Sentence, other: Sentence) -> Sentence:
    """Return one sentence for both: an act by several seats, or one result for several wagers."""
    if not one.wagers:
        seats = [word.numbers for word in (*one.actor, *other.actor) if isinstance(word, Seats)]
        return replace(one, actor=(Seats(tuple(number for numbers in seats for number in numbers)), " "))
    wagers = (*one.wagers, *other.wagers)
    names = _named(one.hand, wagers)
    if wagers[0].result == "push":
        actor: Words = (Owner(one.seat), f" {names} ")
        return replace(one, actor=actor, verb=Verb("push", plural=True), wagers=wagers)
    total = Amount(-sum(wager.net for wager in wagers), exact=False)
    lost: Words = (f" the {names}, ", total)
    return replace(one, actor=(Seats((one.seat,)), " "), object=lost, wagers=wagers)


def deal(dealt: Dealt) -> Sentence:
    """Return one sentence for consecutive deals; it groups places with the same number of cards."""
    covered: dict[int, list[str]] = {}
    for place, (count, cards) in dealt.items():
        if not cards:
            covered.setdefault(count, []).append(place)
    parts: list[Words] = [(_covered(count, places),) for count, places in covered.items()]
    parts += [
        (f"{cards_counted(count)} to {place_name(place)} (", CardWords(cards), ")")
        for place, (count, cards) in dealt.items()
        if cards
    ]
    words = [word for part in parts for word in ("; ", *part)]
    return Sentence(object=("Dealt: ", *words[1:]))


def _covered(count: int, places: list[str]) -> str:
    seats = [str(seat_of(place)) for place in places if seat_of(place)]
    names = [f"seat{'s' if len(seats) > 1 else ''} {listed(seats)}"] if seats else []
    names += [place_name(place) for place in places if not seat_of(place)]
    each = " each" if len(places) > 1 else ""
    return f"{cards_counted(count)}{each} to {listed(names)}"
