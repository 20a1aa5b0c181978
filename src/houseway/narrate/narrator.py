"""Write the sentences for an event. They name only cards that the reader may see."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

from houseway.cards import UNSEEN
from houseway.engine import events as e
from houseway.engine.codec import hidden_fields
from houseway.engine.legal import WITHOUT_IT
from houseway.engine.meters import MICRO
from houseway.engine.persons import HOUSE
from houseway.money import spoken
from houseway.narrate import sentences as s
from houseway.narrate.patterns import DECISIONS, HEADLINES, PATTERNS, SETTLED, SILENT, bet_in_words, fill
from houseway.narrate.sentences import Cards, HandWords, Seats, Sentence, Verb, Words
from houseway.rules.compare.value_words import listed
from houseway.rules.odds_words import odds_text
from houseway.wording import several, with_article

Sees = Callable[[e.Event, str], Cards]
"""Returns the cards in an event's field, or no cards if the reader may not see them."""

_CARDS: Final = ("face", "first", "second")
"""The cards of a decision."""
_BOARD_CALLS: Final = {3: "Flop", 2: "Turn and river", 5: "Board"}
EARLY_CARDS: Final = {3: "the flop", 5: "the board"}
"""The name of the community cards that were turned up too early, by how many were turned up."""
VOID_REASONS: Final = {
    "exposed card": "a card was exposed",
    "face-up card": "the deck had face-up cards",
    "card drawn in error": "a card was drawn in error",
    "premature flop": "community cards were turned up too early",
    "wrong number": "the wrong number of cards was dealt",
    "wrong count": "the stub has the wrong number of cards",
    "device count": "the device counted the wrong number of cards",
    "shuffler jam": "the shuffling device jammed",
    "machine failure": "the dealing machine failed",
    "unopened salt": "a player did not open a salt for the players' cut",
    "ruling": "of a ruling",
}
"""The reasons for a void round, to follow "because", by the kind of irregularity."""
DEVICES: Final = {"shuffler jam": "the shuffling device", "machine failure": "the dealing machine"}
"""The device that fails in each kind of irregularity."""


def public(event: e.Event, field: str) -> Cards:
    """Return the cards in an event's field if everyone may see them, or no cards."""
    return () if field in hidden_fields(event) else getattr(event, field)


class Scene(NamedTuple):
    """The table right after an event, reduced to what the event's sentences need."""

    order: tuple[str, ...]
    """The rulebook's hand classes, best first."""
    board: Cards = ()
    """The community cards that are face up."""
    sees: Sees = public
    listener: int = 0
    """The seat of the listener; 0 for a listener without a seat."""
    own: Cards = ()
    """The listener's cards, once players may look at their cards."""
    chips: int = 0
    """Cents in the listener's stack."""
    tips: int = 0
    """Cents of the listener's tips for the dealer that are settled in the round."""
    wording: str | None = None
    """The rulebook's way of writing odds."""


def narrate(event: e.Event, scene: Scene) -> tuple[Sentence, ...]:
    """Return the sentences for an event; routine events have none."""
    kind = type(event)
    if kind in SILENT:
        return ()
    if isinstance(event, e.WagerSettled):
        return (_settled(event, scene),)
    if isinstance(event, e.MeterFed) and not any(event.meters.values()):
        return ()
    if isinstance(event, e.RoundClosed):
        return tuple(_closing(event, scene))
    if kind not in PATTERNS:
        raise TypeError(f"the narrator has no sentence for {kind.__name__}")
    topic, pattern = PATTERNS[kind]
    if isinstance(event, e.PlayersLooked) and scene.own:
        topic = "seat"
    if isinstance(event, e.CardsDealt) and event.to == "board" and event.face:
        topic = "board"
    headline = HEADLINES.get(kind, "") if topic != "record" else ""
    value = _values(event, scene)
    return (_sentence(event, topic, fill(pattern, value), fill(headline, value)),)


def decision_sentence(event: e.Event) -> Sentence:
    """Return a bet or a decision as everyone at the table sees it, without its cards and its reason."""
    known = _values(event, Scene(()))
    return _sentence(event, "act", fill(DECISIONS[type(event)], lambda f: () if f in _CARDS else known(f)))


def _sentence(
    event: e.Event,
    topic: s.Topic,
    words: Words,
    headline: Words = (),
    wagers: tuple[s.WagerWords, ...] = (),
) -> Sentence:
    """Split the words of a sentence at its verb."""
    at = next((n for n, word in enumerate(words) if isinstance(word, Verb)), -1)
    verb = words[at] if at >= 0 else None
    return Sentence(
        actor=words[:at] if verb else (),
        verb=verb if isinstance(verb, Verb) else None,
        object=words[at + 1 :],
        headline=headline,
        stage=getattr(event, "stage", ""),
        topic=topic,
        clause=event.clause,
        seat=getattr(event, "seat", 0),
        hand=getattr(event, "hand", 1),
        wagers=wagers,
    )


def reading(owner: s.Word, held: Cards, scene: Scene) -> Sentence | None:
    """Return a sentence that names the hand two cards make; None if a card is not known yet."""
    if len(held) != 2 or len(scene.board) != 5 or UNSEEN in held:
        return None
    hand_words = _made("", held, scene)._replace(article=True)
    return Sentence(actor=(owner, " "), verb=Verb("have"), object=(" ", hand_words))


def _made(words: str, held: Cards, scene: Scene, community: int = 0) -> HandWords:
    """Return the hand that two cards make with the board, or with its first cards."""
    board = scene.board[: community or None]
    cards = (*held, *board)
    complete = len(held) == 2 and len(scene.board) == 5 and len(cards) >= 5 and UNSEEN not in held
    return HandWords(words, cards, scene.order) if complete else HandWords(words)


def _values(event: e.Event, scene: Scene) -> Callable[[str], Any]:
    """Return a function that looks up a pattern's field and hides cards the reader may not see."""
    known, hidden = _computed(event, scene), hidden_fields(event)

    def value(field: str) -> Any:
        if field in known:
            return known[field]
        return scene.sees(event, field) if field in hidden else getattr(event, field)

    return value


def _computed(event: e.Event, scene: Scene) -> dict[str, Any]:
    """Return the values that a pattern uses and its event does not have as fields."""
    match event:
        # The most frequent events come first, because each comparison of types takes time.
        case e.WagerSettled():
            odds, keeps = odds_text(event.odds, scene.wording), event.back < event.won + event.stake
            limit = f" [{event.cut_clause}]" if event.cut_clause else ""
            return {"second": event.hand > 1, "keeps": keeps, "odds": odds, "limit": limit}
        case e.WagersPlaced() | e.Checked() | e.PlayMade() | e.Folded():
            return {}
        case e.PlayerSeated():
            return {"player": Seats((event.seat,), player=event.player or "A player")}
        case e.ItemConfirmed():
            allowed = "automatically, as a house setting allows"
            sender_words = allowed if event.automatic else f"by {event.name}"
            why = f" ({event.exception})" if event.exception != WITHOUT_IT else ""
            without = f"opened without confirmation {sender_words}{why}"
            return {"result": without if event.exception else f"confirmed {sender_words}"}
        case e.TableOpened():
            backs = listed(f"{back}-backed" for back in event.backs)
            return {"decks": f"{backs} {'decks' if len(event.backs) > 1 else 'cards'}"}
        case e.RoundVoided():
            reason = VOID_REASONS.get(event.why, f"of an irregularity ({event.why})")
            return {"reason": reason}
        case e.DeviceJammed():
            return {"device": DEVICES.get(event.kind, f"a device ({event.kind})")}
        case e.BoardExposed():
            early = EARLY_CARDS.get(len(event.face))
            return {"early": early or "community cards", "plural": early is None}
        case e.PaymentApproved():
            return {"named": bool(event.name) and not event.automatic}
        case e.ProgressiveCollected():
            return {"total": sum(event.stakes.values())}
        case e.MeterFed():
            return {"moved": [f"{name} {_micro(amount)}" for name, amount in event.meters.items()]}
        case e.CardsDealt():
            return {"cards": scene.sees(event, "sealed") or event.face, "call": _board_call(event.face)}
        case e.CardsBurned():
            return {"several": event.count != 1}
        case e.BoardTurned():
            return {"board": scene.board, "call": _board_call(event.face)}
        case e.PlayersLooked():
            return {"own": scene.own, "listener": scene.listener}
        case e.DealerRevealed():
            judged = {"qualified": event.qualifies is True, "unqualified": event.qualifies is False}
            return judged | {"made": _made(event.reads, event.face, scene)}
        case e.HandTurned():
            turned = Seats((event.seat,), hand=event.hand)
            return {"turned": turned, "made": _made(event.reads, event.face, scene, event.community)}
        case e.PayoutsShown():
            payouts = [f"{pays} for {with_article(hand)}" for hand, pays in event.odds.items()]
            return {"dealt": several(event.hands, "hand"), "odds": payouts}
        case e.WagersReturned():
            progressive = {"progressive": event.collected} if event.collected else {}
            return {"returned": {**event.wagers, **event.taken, **progressive}}
        case e.HandVoided() | e.LammersPlaced():
            return {"second": event.hand > 1}
        case e.RulingMade():
            return {"effect": _ruling(event), "alone": event.by == HOUSE}
        case e.MispaymentMade() | e.PaymentCorrected():
            return {"apart": abs(event.amount), "over": event.amount > 0}
    return {}


def _ruling(event: e.RulingMade) -> str:
    """Return the effect of a ruling in words."""
    whose = f"seat {event.seat}"
    match event.effect:
        case "void hand":
            return f"{whose}'s {'second ' if event.hand > 1 else ''}hand is void"
        case "void round":
            return "the round is void"
        case "refund round":
            return "the round is void and every wager is returned"
        case "correct payment":
            amount = f"{spoken(abs(event.amount))} {'more' if event.amount > 0 else 'less'}"
            return f"{whose} is due {amount} on the {bet_in_words(event.wager)}"
    return "play continues"


def _board_call(face: Cards) -> str:
    return _BOARD_CALLS.get(len(face), "Turned up")


def _settled(event: e.WagerSettled, scene: Scene) -> Sentence:
    stake = "{seat:whose} [second?second ]{wager:wager}" + SETTLED["stake"]
    if event.for_dealer:
        stake = "the {stake:$} tip on {seat:whose} {wager:wager}"
    if event.coupon:
        stake = "{seat:whose} {coupon:$} coupon" + SETTLED["stake"]
    words = fill(stake + SETTLED[event.result], _values(event, scene))
    wager = s.WagerWords(event.wager, event.result, event.back - event.stake)
    return _sentence(event, "paid", words, wagers=(wager,))


def _closing(event: e.RoundClosed, scene: Scene) -> Iterator[Sentence]:
    """Yield the result of each seat, then the totals of players and house."""
    for seat, net in event.net.items():
        verb = "win" if net > 0 else "lose" if net else "break even"
        amount: Words = (" ", s.Amount(abs(net))) if net else ()
        words: Words = (Seats((seat,), with_player=True), " ", Verb(verb), *amount)
        if seat != scene.listener:
            yield _sentence(event, "seat", words)
            continue
        before = ", including " if net < 0 else ", after paying "
        tips: Words = (before, s.Amount(scene.tips), " in tips") if scene.tips else ()
        over: Words = (f"Round {event.number} is over: you {verb}", *amount, *tips)
        yield _sentence(event, "round", words, (*over, ". You have ", s.Amount(scene.chips)))
    players = sum(event.net.values())
    rest = players * MICRO + sum(event.changes.values())
    total = "the books balance" if rest == 0 else f"the books are off by {rest} millionths of a cent"
    sums = [f"players {_micro(players * MICRO)}"]
    sums += [f"{name} {_micro(amount)}" for name, amount in event.changes.items() if amount]
    moved = any(event.net.values()) or any(event.changes.values())
    totals = f"Totals: {', '.join(sums)}" if moved else "No money changed hands"
    yield _sentence(event, "record", (f"{totals}; {total}",))


def _micro(amount: int) -> str:
    """Return millionths of a cent as dollars, with as many decimals as needed."""
    cents, rest = divmod(abs(amount), MICRO)
    sign = "-" if amount < 0 else "+"
    if not rest:
        return f"{sign}{spoken(cents)}"
    return f"{sign}${cents // 100:,}.{cents % 100:02d}{rest:06d}".rstrip("0")
