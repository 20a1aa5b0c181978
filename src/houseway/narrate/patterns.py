"""The English of every event: one pattern for each type, and how a pattern is filled.

In a pattern `{field}` is a field of the event, `{field:kind}` the same as a word of a kind. `<verb>` agrees
with the words before it. `[field?words]` stands only if the field holds something, `[field!words]` only if
it holds nothing. Fields that no event has are worked out by the narrator.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final, NamedTuple

from houseway.engine import events as e
from houseway.narrate.sentences import (
    Amount,
    By,
    Faces,
    Owner,
    Seats,
    Stakes,
    Times,
    Topic,
    Verb,
    Word,
    Words,
)
from houseway.rules.compare.words import listed

NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")

PATTERNS: Final[Mapping[Topic, Mapping[type[e.Event], str]]] = {
    "record": {
        e.TableOpened: "the table <be opened> with {backs:list} backs",
        e.DeckShuffled: "deck {deck} <be shuffled> by {method}[seal? and sealed]",
        e.DeckCut: "deck {deck} <be cut> at {count:count} by {by}",
        e.CutCardPlaced: "the cut card <go> {behind:count} from the end of the shoe",
        e.DecksSwapped: "deck {into_play} <come> into play, deck {into_device} <go> into the device",
        e.DeckRemoved: "deck {deck} <be taken> off the table",
        e.DeckReplaced: "a new deck {deck} <be brought>",
        e.RecutOrdered: "a new cut <be ordered> by the {by}",
        e.ReshuffleOrdered: "the cards <are ordered> to be shuffled again",
        e.TableIdled: "the table <be left> idle",
        e.TableResumed: "play <be taken> up again",
        e.TableClosed: "the table <be closed>",
        e.SeatHeld: "seat {seat} <be held> for its player until {until}[until!released by hand]",
        e.SeatReleased: "seat {seat} <be held> no longer",
        e.PlayersCutMade: "the players' cut of deck {deck} <be made> from what {salts:seats} gave",
        e.ProgressiveCollected: "progressive wagers <are taken> in, {total:$} in all",
        e.MeterFed: "the meters <move>: {moved:list}",
        e.LammersPlaced: "a lammer <mark> {seats:seats}: envy goes with it",
        e.CardsDealt: "{count:count} <go> to {to:place}[cards?: {cards:cards}]",
        e.CardsBurned: "{count:count} [several!<be burned>][several?<are burned>][sealed?: {sealed:cards}]",
        e.PlayersLooked: "players <look> at their cards[own?; seat {listener} held {own:cards}]",
        e.StubCounted: "the stub <be counted>: {count:count}, [right?right][right!{expected} were due]",
        e.AwardKeyed: "{hand} <be keyed> for seat {seat}[right!, which the cards do not make]",
        e.AwardUnkeyed: "{hand} <be turned> off again for seat {seat}",
    },
    "round": {
        e.RoundOpened: "round {number} <be opened>[deck? with deck {deck}][seal?, under the seal {seal}]",
    },
    "seat": {
        e.PlayerSeated: "{player:word} <sit> down at seat {seat} with {chips:$}",
        e.PlayerReseated: "{seat:who} <sit> down again",
        e.PlayerStood: "{seat:who} <stand> up",
        e.PlayerLeft: "{seat:who} <leave> with {chips:exact}",
        e.WagersPlaced: "{seat:who} <bet> {wagers:stakes}[tips?, and for the dealer {tips:stakes}]"
        "[coupon?, with a coupon of {coupon:$}]",
        e.WagersTakenBack: "{seat:who} <take> all wagers back",
        e.SaltAdded: "{seat:who} <put> {salt} into the players' cut",
        e.LimitsChanged: "the minimum {wager:wager} becomes {amount:$} with the next round"
        "[notice?, {notice} told]",
        e.MinimumKept: "{seat:who} may stay at the minimum of {amount:$}",
        e.HandTurned: "{turned:word} <show> {face:cards}: {made:word}",
    },
    "act": {
        e.Checked: "{seat:who} <check>{by:by}",
        e.PlayMade: "{seat:who} <play> {times:times}, {amount:$}[tip?, and {tip:$} for the dealer]",
        e.Folded: "{seat:who} <fold>{by:by}[held?; trips holds the cards]",
        e.HandSet: "{seat:who} <keep> {face:cards}[face!two cards]"
        "[sealed?, discarding {sealed:cards}]{by:by}",
        e.HandSplit: "{seat:who} <split> into [second?{first:cards} and {second:cards}][second!two hands]"
        ", with {wager:$} on the second hand[bonus? and {bonus:$} on its bonus]",
    },
    "board": {e.BoardTurned: "the board <show> {board:cards}"},
    "call": {e.BettingClosed: "no more bets"},
    "news": {
        e.CutCardReached: "the cut card <come> out: this round is the shoe's last",
        e.DealerRevealed: "the dealer <show> {face:cards}[reads?: {made:word}]"
        "[qualified?, which <qualify>][unqualified?, which <do not qualify>]",
        e.DealerHandSet: "the dealer <keep> {kept:cards}"
        "[house_way?; the house way keeps {house_way:cards}]",
        e.HandChallenged: "{seat:who} <challenge> the dealer's hand",
        e.ChallengeAnswered: "the dealer's hand <be> [changed?set again by the house way][changed!right]"
        ": {kept:cards}",
        e.PayoutsShown: "for {hands} hands Cover All pays {odds:list}",
        e.ApprovalAsked: "the {who} <be asked> to approve {amount:$} on the {wager:wager} of {seat:who}",
        e.PaymentApproved: "the {by} <approve> the payment",
        e.WagersReturned: "{seat:who} <get> back {returned:stakes}[returned!nothing]"
        "[tips?, and the dealer's {tips:stakes}][coupon?, and the coupon]",
        e.MispaymentMade: "{seat:who} <be handed> {apart:$} too [over?much][over!little]"
        " on the {wager:wager}",
        e.PaymentCorrected: "{apart:$} <be> [over?given to ][over!taken back from ]{seat:who}"
        ": the {wager:wager} was put right by the {by}",
        e.CardExposed: "a card of {at:place} <be exposed>, {face:cards}[turned_back?, and turned back]",
        e.FaceUpFound: "{face:cards} <lie> face up in the deck: "
        "[used?used as the next card][used!put aside]",
        e.CardDrawn: "a card <be drawn> in error[sealed?: {sealed:cards}]; it is used as the next",
        e.ExtraDealt: "a card too many <go> to {at:place}[sealed?: {sealed:cards}]",
        e.CardSkipped: "{at:place} <be passed> over in the deal",
        e.WrongNumberFound: "{at:place} <be found> with {count:count}",
        e.HandCured: "the dealer <be dealt> what was missing[sealed?: {sealed:cards}]",
        e.HandVoided: "{seat:whose} hand is void",
        e.RoundVoided: "all hands are void: {why}[trips?; trips is still settled]",
        e.DeviceJammed: "a device <fail>: {kind}",
        e.BackupTaken: "the back-up device <be taken>: {device}[device!the spare one]",
    },
}
"""By topic; a settled wager and a closed round are put together by the narrator."""

HEADLINES: Final[Mapping[type[e.Event], str]] = {
    e.RoundOpened: "Round {number}[seal?. The cards are sealed: {seal}]",
    e.SaltAdded: "{seat:whose} salt for the cut: {salt}",
    e.PlayersLooked: "Your cards: {own:cards}",
    e.BoardTurned: "{call}: {face:cards}",
    e.CardsDealt: "{call}: {face:cards}",
}
"""Short forms said at the table instead of the whole sentence."""

STAKE: Final = "[from_seat?, for the hand of seat {from_seat},][stake? of {stake:$}]"
SETTLED: Final[Mapping[str, str]] = {
    "win": " <win> [odds?{odds}: ]{won:exact}[awarded?, off the {meter} meter][keeps?, the wager kept]"
    "[cut?; a limit cut {cut:exact}]",
    "push": " <push>",
    "lose": " <lose>",
}


def cards_counted(count: int) -> str:
    """Return a number of cards in words."""
    number = NUMBERS[count] if count < len(NUMBERS) else str(count)
    return f"{number} card{'' if count == 1 else 's'}"


def place_in_words(place: str) -> str:
    """Return a place cards are dealt to: "seat 3", "the board"."""
    return place if place.startswith("seat ") else f"the {place}"


def wager_in_words(name: str) -> str:
    """Return a wager as players call it."""
    return name.replace("_", " ")


_KINDS: Final[Mapping[str, Callable[[Any], Word]]] = {
    "": str,
    "$": lambda cents: Amount(cents, exact=False),
    "exact": Amount,
    "cards": Faces,
    "who": lambda seat: Seats((seat,)),
    "whose": Owner,
    "seats": lambda seats: listed(f"seat {seat}" for seat in seats),
    "stakes": lambda wagers: Stakes(tuple(wagers.items())),
    "times": Times,
    "by": By,
    "word": lambda word: word,
    "count": cards_counted,
    "place": place_in_words,
    "wager": wager_in_words,
    "list": listed,
}

_PIECES: Final = re.compile(r"<([^>]+)>|\{(\w+):?([^}]*)\}|\[(\w+)([?!])([^\]]*)\]|([^<{\[]+)")


class _Field(NamedTuple):
    name: str
    word: Callable[[Any], Word]


class _Optional(NamedTuple):
    field: str
    filled: bool
    pattern: str


@cache
def _pieces(pattern: str) -> tuple[Word | _Field | _Optional, ...]:
    return tuple(map(_piece, _PIECES.finditer(pattern)))


def _piece(match: re.Match[str]) -> Word | _Field | _Optional:
    verb, field, kind, given, sign, words, text = match.groups("")
    if given:
        return _Optional(given, sign == "?", words)
    return _Field(field, _KINDS[kind]) if field else Verb(verb) if verb else text


def fill(pattern: str, value: Callable[[str], Any]) -> Words:
    """Return the words of a pattern; `value` gives what a field holds."""
    words: list[Word] = []
    for piece in _pieces(pattern):
        if isinstance(piece, _Field):
            words.append(piece.word(value(piece.name)))
        elif not isinstance(piece, _Optional):
            words.append(piece)
        elif bool(value(piece.field)) == piece.filled:
            words += fill(piece.pattern, value)
    return tuple(words)
