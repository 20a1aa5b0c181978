"""Sentences about the things that the dealer sees and hears. They never hint at the right handling."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.state import State
from houseway.money import spoken
from houseway.narrate.player_words import bets_text
from houseway.rules import procedure
from houseway.training import conduct as k
from houseway.training.acts import ChairAct
from houseway.training.chair import TRAINER, UNSEEN, ChairEntry, Conduct, Happening
from houseway.training.words import irregularity_words, stack_words
from houseway.wording import as_sentence, capital, several, the_wager

Decision = e.WagersPlaced | e.Checked | e.PlayMade | e.Folded | e.HandSet | e.HandSplit
VOID: Final = "All hands are void."


def conduct_words(conduct: Conduct, state: State) -> str:
    """Return what a player does and says. `state` is the table before or after the conduct.

    >>> conduct_words(Conduct(kind="standing up", seat=2, text="I need a break."), State())
    'Seat 2 stands up: "I need a break."'
    """
    words = conduct_action(conduct, state)
    only_says = conduct.text and not _does(conduct, state)
    return f"Seat {conduct.seat}{':' if only_says else ''} {words}{'' if conduct.text else '.'}"


def conduct_action(conduct: Conduct, state: State) -> str:
    """Return what a player does and says, without the player.

    >>> conduct_action(Conduct(kind="standing up", seat=2, text="I need a break."), State())
    'stands up: "I need a break."'
    """
    does, says = _does(conduct, state), f'"{conduct.text}"' if conduct.text else ""
    return ": ".join(filter(None, (does, says))) or "says nothing"


def decision_event(entry: ChairEntry, state: State) -> Decision | None:
    """Return the bet or the decision of an entry as an event; None if it has none.

    A decision that came before the player's turn has no event yet. It gets the one that it will cause.
    """
    given = entry.input
    if not isinstance(given, c.Command):
        return None
    for change in entry.changes:
        event = change.event
        if isinstance(event, Decision) and event.seat == getattr(given, "seat", 0):
            return event
    match given:
        case c.Play(seat=seat, times=times):
            ante = state.seats[seat].hands[0].made.get("ante", 0)
            return e.PlayMade(seat=seat, stage="", times=times, amount=times * ante)
        case c.Check(seat=seat):
            return e.Checked(seat=seat, stage="")
        case c.Fold(seat=seat):
            return e.Folded(seat=seat, stage="")
        case c.Keep(seat=seat):
            return e.HandSet(seat=seat, face=(), sealed=())
        case c.Split(seat=seat):
            return e.HandSplit(seat=seat, first=(), second=(), wager=0)
    return None


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
            laid = state.seats[conduct.seat].hands[0].stakes if conduct.seat in state.seats else {}
            put = {name: stake for name, stake in bet.wagers.items() if laid.get(name) != stake}
            chips = bets_text(put)
            tips = "".join(f", and {spoken(tip)} for the dealer" for tip in bet.tips.values())
            form = {"cash": "puts down cash", "verbal": "calls out, with cash in hand"}.get(bet.form)
            verb = "adds chips, now" if put.keys() <= laid.keys() else "puts down"
            return f"{form}: {chips}" if form else f"{verb} {chips}{tips}"
    return ""


def move_words(mode: str) -> str:
    """Return what the trainee hears before the move to a table of a deal mode.

    >>> move_words("device")
    'You move to another table, where a machine deals the cards. Open it as you opened the first one.'
    """
    dealt = "a machine deals the cards" if mode == "device" else "you deal the cards by hand"
    return f"You move to another table, where {dealt}. Open it as you opened the first one."


def trainer_words(entry: ChairEntry) -> tuple[str, ...]:
    """Return what the program did in an entry, because play could not continue without it."""
    if not isinstance(entry.input, ChairAct):
        return ()
    phrases = (_trainer_did(one.event) for one in entry.changes if one.origin == TRAINER)
    return tuple(dict.fromkeys(phrase for phrase in phrases if phrase))


def display_words(entry: ChairEntry, *, reasons: bool = False) -> tuple[str, ...]:
    """Return what follows at once from an entry: the odds on the display, or void hands.

    With `reasons`, an irregularity that the trainee has not reported is named; an exam must not name it.
    """
    shown = [one.event for one in entry.changes]
    unseen = (one for one in entry.slips if reasons and one.kind == UNSEEN)
    named = [f"{VOID[:-1]}: {irregularity_words(one.irregularity, one.at)}." for one in unseen]
    void = (named or [VOID])[:1] if any(isinstance(one, e.RoundVoided) for one in shown) else []
    return (
        *(payouts_words(one.odds, one.hands) for one in shown if isinstance(one, e.PayoutsShown)),
        *void,
    )


def payouts_words(odds: Mapping[str, str], hands: int = 0) -> str:
    """Return the odds of Cover All, as the machine's display shows them.

    >>> payouts_words({"full house": "4 to 1"}, 3)
    'The display shows Cover All for 3 hands: full house 4 to 1.'
    """
    dealt = f" for {several(hands, 'hand')}" if hands else ""
    return (
        f"The display shows Cover All{dealt}: {', '.join(f'{hand} {pays}' for hand, pays in odds.items())}."
    )


def _trainer_did(event: e.Event) -> str:
    match event:
        case e.Checked() | e.PlayMade() | e.Folded() | e.HandSet():
            return f"decided for seat {event.seat}, which had not decided"
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
"""What the program did, by the event that it caused."""


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
    return f"{capital(happening.at)}: {card}"


def happening_words(happening: Happening) -> str:
    """Return what the dealer sees when something goes wrong; empty if nothing shows.

    >>> happening_words(Happening(kind="device count", count=51))
    'The display of the machine shows 51 cards.'
    """
    return as_sentence(happening_phrase(happening))


def happening_phrase(happening: Happening) -> str:
    """Return what the dealer sees when something goes wrong, without the last full stop."""
    place = happening.at if happening.at.startswith("seat") else f"the {happening.at or 'table'}"
    where = capital(place)
    # A report names the card by this number, so the dealer must see it.
    name = f"card {happening.which}" if happening.which else "card"
    card = name if happening.which else "a card"
    match happening.kind:
        case procedure.EXPOSED_CARD:
            return f"{_exposed(happening, card)} flips over"
        case procedure.FACE_UP_CARD if happening.at in ("", "deck"):
            return "The next card of the deck is face up"
        case procedure.FACE_UP_CARD if happening.at == "dealer":
            return f"The dealer's {name} comes out of the deck face up"
        case procedure.FACE_UP_CARD if happening.at == "board":
            return f"{capital(card)} of the board comes out of the deck face up"
        case procedure.FACE_UP_CARD:
            return f"{where}: {card} comes out of the deck face up"
        case "card drawn in error":
            return "One more card slides off the deck, face down"
        case "premature flop":
            return "The next community cards are turned up before every player has acted"
        case "wrong number" if isinstance(happening.command, c.DealExtra):
            return f"Two cards stick together. {where} gets one more"
        case "wrong number" if happening.at == "board":
            # The other community cards come out now. A hand without a card waits for the dealer instead.
            return "One community card does not come out. The deal goes on, and the board gets one fewer"
        case "wrong number":
            # The hand is not complete yet. Its number of cards is seen on the felt when the deal is over.
            return f"No card comes out for {place}"
        case "device count":
            return f"The display of the machine shows {several(happening.count or 0, 'card')}"
        case "shuffler jam":
            return "The shuffler stops with a red light"
        case "machine failure":
            return "The dealing machine stops with a red light"
    return ""
