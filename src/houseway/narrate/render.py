"""Turn sentences into English text: in the past tense for the record, in the present tense at the table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

import msgspec

from houseway.cards import RANKS, Card, codes
from houseway.engine.made_hands import read_hand, words_with_article
from houseway.money import exactly, spoken
from houseway.narrate import sentences as s
from houseway.rules.compare.value_words import listed
from houseway.wording import capital, several, the_wager

MAX_NAMED: Final = 2
"""A sentence about more seats than this uses their numbers instead of the players' names."""
UNNAMED: Final = "You"
"""The name of the person who plays in the terminal. The record's sentences do not use it."""
TIME_RAN_OUT: Final = {"deadline": "time ran out"}
_RANKS: Final = tuple("10" if rank == "T" else rank for rank in RANKS)
_SIGNS: Final = ("♣\ufe0e", "♦\ufe0e", "♥\ufe0e", "♠\ufe0e")

_THIRD: Final = {"be": "is", "are": "are", "have": "has", "do": "does", "go": "goes"}
_PAST: Final = {
    "be": "was", "are": "were", "bet": "bet", "break": "broke", "come": "came", "do": "did", "get": "got",
    "go": "went", "have": "had", "keep": "kept", "leave": "left", "lie": "lay", "lose": "lost",
    "put": "put", "sit": "sat", "split": "split", "stand": "stood", "take": "took", "win": "won",
}  # fmt: skip
"""Irregular forms of the verbs in patterns."""


def third_person(verb: str) -> str:
    """Return the third person singular of a verb, in the present tense."""
    if verb.endswith(("s", "sh", "ch")):
        return f"{verb}es"
    return _THIRD.get(verb) or (f"{verb[:-1]}ies" if _ends_in_consonant_y(verb) else f"{verb}s")


def past(verb: str) -> str:
    """Return the past tense of a verb."""
    if verb in _PAST:
        return _PAST[verb]
    if _ends_in_consonant_y(verb):
        return f"{verb[:-1]}ied"
    return f"{verb}d" if verb.endswith("e") else f"{verb}ed"


def _ends_in_consonant_y(verb: str) -> bool:
    return verb.endswith("y") and verb[-2] not in "aeiou"


class Voice(msgspec.Struct, frozen=True, kw_only=True):
    """The style of sentences: their tense, the listener, and how cards and amounts are written."""

    cards: Callable[[s.Cards], str]
    money: Callable[[s.Amount], str]
    times: Callable[[int], str]
    record: bool = False
    """True for the past tense with every detail; False for the present tense, addressed to a listener."""
    listener: int = 0
    """The seat called "you"."""
    names: Mapping[int, str] = {}
    """The players' names by seat."""


def in_words(faces: Iterable[Card]) -> str:
    """Return cards in words and in notation: "ace of hearts, king of clubs (Ah Kc)"."""
    cards = tuple(faces)
    return f"{_named(cards)} ({codes(cards)})"


def _named(cards: s.Cards) -> str:
    return ", ".join(card.words for card in cards)


def _signs(cards: s.Cards) -> str:
    return " ".join(f"{_RANKS[card.rank]}{_SIGNS[card.suit]}" for card in cards)


def _dollars(amount: s.Amount) -> str:
    return exactly(amount.cents) if amount.exact else spoken(amount.cents)


def _dollars_aloud(amount: s.Amount) -> str:
    whole, rest = divmod(amount.cents, 100)
    return several(whole, "dollar") + (f" and {several(rest, 'cent')}" if rest else "")


def _times_the_ante(times: int) -> str:
    return f"{times} times the ante"


RECORD: Final = Voice(
    cards=codes, money=lambda a: spoken(a.cents), times=lambda n: f"{n}x the ante", record=True
)


def record(names: Mapping[int, str]) -> Voice:
    """Return the voice of the record; it uses the players' names when a round closes."""
    return msgspec.structs.replace(RECORD, names=names)


def terminal(seat: int, names: Mapping[int, str]) -> Voice:
    """Return the voice of the terminal: cards in words and in notation."""
    return Voice(cards=in_words, money=_dollars, times=lambda n: f"{n}x", listener=seat, names=names)


def short(seat: int, names: Mapping[int, str]) -> Voice:
    """Return the voice of the page's log: cards as symbols."""
    return Voice(cards=_signs, money=_dollars, times=lambda n: f"{n}×", listener=seat, names=names)


def aloud(seat: int, names: Mapping[int, str]) -> Voice:
    """Return the voice for a screen reader: cards and amounts in words."""
    return Voice(cards=_named, money=_dollars_aloud, times=_times_the_ante, listener=seat, names=names)


def render(sentence: s.Sentence, voice: Voice, *, staged: bool = True) -> str:
    """Return a sentence in a voice, without its full stop.

    In the record, a decision starts with its betting point, unless `staged` is False.
    """
    if sentence.headline and not voice.record:
        return _join(sentence.headline, voice)
    words = (*sentence.actor, *_action(sentence, voice))
    if sentence.stage and voice.record and staged:
        words = (f"{sentence.stage}, ", *words)
    return _join(words, voice)


def render_action(sentence: s.Sentence, voice: Voice) -> str:
    """Return a sentence without its actor, for a reader who already sees who acts: "plays 4x, $40"."""
    return "".join(_write(word, voice) for word in _action(sentence, voice))


def _action(sentence: s.Sentence, voice: Voice) -> s.Words:
    """Return the words of a sentence after its actor, with the verb in the voice's tense."""
    if sentence.verb is None:
        return sentence.object
    return (_agree(sentence.verb, sentence.actor[0], voice), *sentence.object)


def _agree(verb: s.Verb, first: s.Word, voice: Voice) -> str:
    """Return the verb in the voice's tense, in agreement with the actor."""
    word, _, rest = verb.base.partition(" ")
    seats = first.numbers if isinstance(first, s.Seats) and first.hand == 1 else ()
    if voice.record:
        word = past(word)
    elif verb.plural or len(seats) > 1 or voice.listener in seats:
        word = "are" if word == "be" else word
    else:
        word = third_person(word)
    return f"{word} {rest}".rstrip()


def _join(words: s.Words, voice: Voice) -> str:
    text = "".join([word if isinstance(word, str) else _write(word, voice) for word in words])
    return text if _is_name(words[0], voice) else capital(text)


def _is_name(word: s.Word, voice: Voice) -> bool:
    """True if a word is a player's name, which keeps its own spelling."""
    if isinstance(word, str) or not isinstance(word, (s.Seats, s.Owner)):
        return False
    seats = word.numbers if isinstance(word, s.Seats) else (word.seat,)
    if voice.listener in seats:
        return False
    given = isinstance(word, s.Seats) and bool(word.player)
    return given or (not voice.record and len(seats) <= MAX_NAMED and min(seats) in voice.names)


def _write(word: s.Word, voice: Voice) -> str:
    return _WRITERS[type(word)](word, voice)


def _owner(word: s.Owner, voice: Voice) -> str:
    return "your" if word.seat == voice.listener else f"{_called(word.seat, voice)}'s"


def _stakes(word: s.StakeWords, voice: Voice) -> str:
    # In Texas Shootout the main wager is called "wager": "bet $10", not "bet wager $10".
    stakes = [(name.replace("_", " "), s.Amount(cents, exact=False)) for name, cents in word.wagers]
    return listed(f"{'' if name == 'wager' else f'{name} '}{voice.money(stake)}" for name, stake in stakes)


def _tips(word: s.TipWords, voice: Voice) -> str:
    tips = [(the_wager(name), s.Amount(cents, exact=False)) for name, cents in word.wagers]
    return listed(f"{voice.money(tip)} on {wager}" for wager, tip in tips)


def _by(word: s.By, voice: Voice) -> str:
    return f" ({TIME_RAN_OUT.get(word.who, f'the {word.who} acted for the player')})" if word.who else ""


def _hand(word: s.HandWords, voice: Voice) -> str:
    """Return a hand in words; the record adds the five cards that play."""
    if not word.cards:
        return word.words
    best = read_hand(word.cards, word.order)
    words = words_with_article(best) if word.article else best.words
    return f"{words} ({codes(best.cards)})" if voice.record else words


def _called(seat: int, voice: Voice) -> str:
    name = "" if voice.record else voice.names.get(seat, "")
    return name or f"seat {seat}"


def _seats(word: s.Seats, voice: Voice) -> str:
    numbers, seat = word.numbers, word.numbers[0]
    if len(numbers) > 1:
        return _several_seats(sorted(numbers), voice)
    if word.hand > 1:
        return f"{_write(s.Owner(seat), voice)} second hand"
    if seat == voice.listener:
        return "you"
    if word.with_player and voice.record and voice.names.get(seat, UNNAMED) != UNNAMED:
        return f"seat {seat}, {voice.names[seat]},"
    return word.player or _called(seat, voice)


def _several_seats(numbers: list[int], voice: Voice) -> str:
    own = voice.listener in numbers
    if voice.record or (len(numbers) > MAX_NAMED and not own):
        return f"seats {listed(map(str, numbers))}"
    others = [_called(seat, voice) for seat in numbers if seat != voice.listener]
    return listed(["you", *others] if own else others)


_WRITERS: Final[Mapping[type, Callable[[Any, Voice], str]]] = {
    str: lambda word, voice: word,
    s.CardWords: lambda word, voice: voice.cards(word.cards) if word.cards else "",
    s.Amount: lambda word, voice: voice.money(word),
    s.Seats: _seats,
    s.Owner: _owner,
    s.StakeWords: _stakes,
    s.TipWords: _tips,
    s.Times: lambda word, voice: voice.times(word.times),
    s.Verb: lambda word, voice: _agree(word, "", voice),
    s.HandWords: _hand,
    s.By: _by,
}
"""Writes each kind of word."""
