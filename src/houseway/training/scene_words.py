"""Sentences about the things that the dealer sees and hears. They never hint at the right handling."""

from __future__ import annotations

from typing import Final

from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.state import State
from houseway.money import spoken
from houseway.training import conduct as k
from houseway.training.acts import ChairAct
from houseway.training.chair import TRAINER, ChairEntry, Conduct, Happening
from houseway.training.words import stack_words
from houseway.wording import several, the_wager


def conduct_words(conduct: Conduct, state: State) -> str:
    """Return what a player does and says. `state` is the table before or after the conduct.

    >>> conduct_words(Conduct(kind="standing up", seat=2, text="I need a break."), State())
    'Seat 2 stands up: "I need a break."'
    """
    does = _does(conduct, state)
    says = f'"{conduct.text}"' if conduct.text else ""
    if not says:
        return f"Seat {conduct.seat} {does or 'says nothing'}."
    return f"Seat {conduct.seat}{f' {does}' if does else ''}: {says}"


def _does(conduct: Conduct, state: State) -> str:
    match conduct.kind:
        case k.SLOW:
            return "thinks"
        case k.TAKE_BACK:
            return "takes the chips back"
        case k.TOUCH:
            return "picks up the cards"
        case k.TWO_HANDS:
            return "holds the cards with both hands"
        case k.SHOWN:
            return "shows the cards to the next player"
        case k.STAND:
            return "stands up"
        case k.LEAVE:
            return "picks up the chips and turns to go"
        case k.RIGHT_DISPUTE | k.WRONG_DISPUTE:
            return f"points at {the_wager(conduct.wager)}"
        case k.COLOUR_UP:
            return f"pushes {stack_words(conduct.chips)} across"
    return _tries(conduct, state)


def _tries(conduct: Conduct, state: State) -> str:
    """Return what a player tries, as the dealer sees it; empty if it is only talk."""
    match conduct.tries:
        case c.Check():
            return "taps the table"
        case c.Fold():
            return "pushes the cards away"
        case c.Bet() as bet:
            laid = state.seats[conduct.seat].hands[0].wagers if conduct.seat in state.seats else {}
            put = {name: stake for name, stake in bet.wagers.items() if laid.get(name) != stake}
            names = {name: name.replace("_", " ") for name in put}
            chips = ", ".join(f"{names[name]} {spoken(stake)}" for name, stake in put.items())
            tips = "".join(f", and {spoken(tip)} for the dealer" for tip in bet.tips.values())
            form = {"cash": "puts down cash", "verbal": "calls out, with cash in hand"}.get(bet.form)
            verb = "adds chips, now" if put.keys() <= laid.keys() else "puts down"
            return f"{form}: {chips}" if form else f"{verb} {chips}{tips}"
    return ""


def move_words(mode: str) -> str:
    """Return what the trainee hears before the move to a table of a deal mode.

    >>> move_words("device")
    'You move to another table, where a machine deals the cards.'
    """
    dealt = "a machine deals the cards" if mode == "device" else "you deal the cards by hand"
    return f"You move to another table, where {dealt}."


def trainer_words(entry: ChairEntry) -> tuple[str, ...]:
    """Return what the trainer did in an entry, because play could not continue without it."""
    if not isinstance(entry.input, ChairAct):
        return ()
    phrases = (_trainer_did(one.event) for one in entry.changes if one.origin == TRAINER)
    return tuple(dict.fromkeys(phrase for phrase in phrases if phrase))


def _trainer_did(event: e.Event) -> str:
    match event:
        case e.Checked() | e.PlayMade() | e.Folded() | e.HandSet():
            return f"decided for seat {event.seat}, who was not asked"
        case e.WagersPlaced():
            return f"had seat {event.seat} bet again"
        case e.PaymentApproved():
            return "had the floor approve the payment"
    return TRAINER_DID.get(type(event), "")


TRAINER_DID: Final[dict[type[e.Event], str]] = {
    e.RoundOpened: "opened the round",
    e.BettingClosed: "closed betting",
    e.ProgressiveCollected: "collected the progressive bets",
    e.PlayersLooked: "let the players look at their cards",
    e.DeckShuffled: "shuffled the cards",
    e.DeckCut: "cut the cards",
    e.CutCardPlaced: "placed the cut card",
    e.DeckLoaded: "loaded the cards",
    e.DecksSwapped: "took the other deck",
    e.DeckReplaced: "had the floor bring another deck",
    e.DealerRevealed: "turned up the dealer's cards",
    e.DealerHandSet: "set the dealer's hand",
    e.StubCounted: "counted the stub",
    e.WrongNumberFound: "reported a wrong number of cards",
    e.HandVoided: "declared a hand void",
    e.RoundVoided: "declared the round void",
    e.WagersReturned: "returned the bets",
    e.WagerSettled: "settled the bets that were left",
}
"""What the trainer did, by the event that it caused."""


def _exposed(happening: Happening, card: str) -> str:
    """Return the card that flips over, as the subject of a sentence."""
    match happening.at:
        case "deck":
            return "The top card of the deck"
        case "dealer":
            return f"The dealer's {card}" if happening.which else "One of the dealer's cards"
        case "board":
            return f"Face-down {card} of the board" if happening.which else "A face-down card of the board"
        case "":
            return "A card on the table"
    return f"{happening.at[:1].upper()}{happening.at[1:]}: {card}"


def happening_words(happening: Happening) -> str:
    """Return what the dealer sees when something goes wrong; empty if nothing shows.

    >>> happening_words(Happening(kind="device count", count=51))
    'The display of the machine shows 51 cards.'
    """
    place = happening.at if happening.at.startswith("seat") else f"the {happening.at or 'table'}"
    where = place[:1].upper() + place[1:]
    # A report names the card by this number, so the dealer must see it.
    card = f"card {happening.which}" if happening.which else "a card"
    match happening.kind:
        case "exposed card":
            return f"{_exposed(happening, card)} flips over."
        case "face-up card" if happening.at in ("", "deck"):
            return "The next card of the deck is face up."
        case "face-up card" if happening.at == "dealer":
            return f"The dealer's {card.removeprefix('a ')} comes out of the deck face up."
        case "face-up card" if happening.at == "board":
            return f"{card[:1].upper()}{card[1:]} of the board comes out of the deck face up."
        case "face-up card":
            return f"{where}: {card} comes out of the deck face up."
        case "card drawn in error":
            return "One more card slides off the deck, face down."
        case "premature flop":
            return "The next community cards are face up."
        case "wrong number" if isinstance(happening.command, c.DealExtra):
            return f"Two cards stick together. {where} gets one more."
        case "wrong number":
            return f"A card does not come out. {where} gets one fewer."
        case "device count":
            return f"The display of the machine shows {several(happening.count or 0, 'card')}."
        case "shuffler jam":
            return "The shuffler stops with a red light."
        case "machine failure":
            return "The dealing machine stops with a red light."
    return ""
