"""Events in a dealer's words, one sentence each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from houseway.cards import Card, written
from houseway.engine import events as e
from houseway.engine.progressive import MICRO
from houseway.money import spoken
from houseway.ranking import read
from houseway.rules.compare.words import listed

Sees = Callable[[e.Event, str], tuple[Card, ...]]
"""The cards of an event's field that the reader may see."""

NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def cards_counted(count: int) -> str:
    """So many cards, in words."""
    number = NUMBERS[count] if count < len(NUMBERS) else str(count)
    return f"{number} card{'' if count == 1 else 's'}"


def sentence(event: e.Event, board: tuple[Card, ...], order: tuple[str, ...], sees: Sees) -> str:
    """What an event was, with the board as it then lay face up; empty where it goes without saying."""
    for tell in (_of_tables, _of_players, _of_decisions, _of_cards, _of_money, _of_trouble):
        found = tell(event, board, order, sees)
        if found:
            return found
    return ""


def _staked(wagers: Mapping[str, int]) -> str:
    return listed((f"{name.replace('_', ' ')} {spoken(stake)}" for name, stake in wagers.items()), "and")


def _faces(cards: Iterable[Card], before: str = ": ") -> str:
    text = written(cards)
    return before + text if text else ""


def _place(place: str) -> str:
    return place if place.startswith("seat ") else f"the {place}"


def _of_tables(event: e.Event, board: tuple[Card, ...], order: tuple[str, ...], sees: Sees) -> str:
    match event:
        case e.TableOpened():
            return f"The table was opened with {listed(event.backs, 'and')} backs"
        case e.DeckShuffled():
            sealed = " and sealed" if event.seal else ""
            return f"Deck {event.deck} was shuffled by {event.method}{sealed}"
        case e.DeckCut():
            return f"Deck {event.deck} was cut at {cards_counted(event.count)} by {event.by}"
        case e.CutCardPlaced():
            return f"The cut card went {cards_counted(event.behind)} from the end of the shoe"
        case e.CutCardReached():
            return "The cut card came out: it is the shoe's last round"
        case e.DecksSwapped():
            return f"Deck {event.into_play} came into play, deck {event.into_device} went into the device"
        case e.DeckRemoved():
            return f"Deck {event.deck} was taken off the table"
        case e.DeckReplaced():
            return f"A new deck {event.deck} was brought"
        case e.RecutOrdered():
            return f"A new cut was ordered by the {event.by}"
        case e.ReshuffleOrdered():
            return "The cards were ordered to be shuffled again"
        case e.TableIdled():
            return "The table was left idle"
        case e.TableResumed():
            return "Play was taken up again"
        case e.TableClosed():
            return "The table was closed"
        case e.LimitsChanged():
            told = f", {event.notice} told" if event.notice else ""
            name = event.wager.replace("_", " ")
            return f"The minimum {name} becomes {spoken(event.amount)} with the next round{told}"
        case e.MinimumKept():
            return f"Seat {event.seat} may stay at the minimum of {spoken(event.amount)}"
        case e.SeatHeld():
            return f"Seat {event.seat} is held for its player until {event.until or 'released by hand'}"
        case e.SeatReleased():
            return f"Seat {event.seat} is held no longer"
    return ""


def _of_players(event: e.Event, board: tuple[Card, ...], order: tuple[str, ...], sees: Sees) -> str:
    match event:
        case e.PlayerSeated():
            return f"{event.player or 'A player'} sat down at seat {event.seat} with {spoken(event.chips)}"
        case e.PlayerReseated():
            return f"The player of seat {event.seat} sat down again"
        case e.PlayerStood():
            return f"The player of seat {event.seat} stood up"
        case e.PlayerLeft():
            return f"The player of seat {event.seat} left with {spoken(event.chips)}"
        case e.RoundOpened():
            deck = f" with deck {event.deck}" if event.deck else ""
            seal = f", under the seal {event.seal}" if event.seal else ""
            return f"Round {event.number} was opened{deck}{seal}"
        case e.WagersPlaced():
            tips = f", and for the dealer {_staked(event.tips)}" if event.tips else ""
            coupon = f", with a coupon of {spoken(event.coupon)}" if event.coupon else ""
            return f"Seat {event.seat} put down {_staked(event.wagers)}{tips}{coupon}"
        case e.SaltAdded():
            return f"Seat {event.seat} put {event.salt} into the players' cut"
        case e.PlayersCutMade():
            who = listed((f"seat {seat}" for seat in event.salts), "and")
            return f"The players' cut of deck {event.deck} was made from what {who} gave"
        case e.WagersTakenBack():
            return f"Seat {event.seat} took all wagers back"
        case e.BettingClosed():
            return "No more bets"
        case e.ProgressiveCollected():
            return f"Progressive wagers were taken in, {spoken(sum(event.stakes.values()))} in all"
        case e.MeterFed():
            moved = listed((f"{name} {_micro(m)}" for name, m in event.meters.items()), "and")
            return f"The meters moved: {moved}" if any(event.meters.values()) else ""
        case e.LammersPlaced():
            who = listed((f"seat {seat}" for seat in event.seats), "and")
            return f"A lammer marks {who}: envy goes with it"
    return ""


def _micro(amount: int) -> str:
    """Millionths of a cent as dollars, with as many decimals as it takes."""
    cents, rest = divmod(abs(amount), MICRO)
    sign = "-" if amount < 0 else "+"
    if not rest:
        return f"{sign}{spoken(cents)}"
    return f"{sign}${cents // 100:,}.{cents % 100:02d}{rest:06d}".rstrip("0")


def _of_decisions(event: e.Event, board: tuple[Card, ...], order: tuple[str, ...], sees: Sees) -> str:
    match event:
        case e.Checked():
            return f"{_asked(event.stage)}, seat {event.seat} checked{_for_them(event.by)}"
        case e.PlayMade():
            tip = f", and {spoken(event.tip)} for the dealer" if event.tip else ""
            times = "once" if event.times == 1 else f"{event.times} times"
            size = f"{times} the ante, {spoken(event.amount)}"
            return f"{_asked(event.stage)}, seat {event.seat} played {size}{tip}"
        case e.Folded():
            held = "; trips holds the cards" if event.held else ""
            return f"{_asked(event.stage)}, seat {event.seat} folded{_for_them(event.by)}{held}"
        case e.HandSet():
            kept, gone = sees(event, "face"), sees(event, "sealed")
            what = written(kept) if kept else "two cards"
            discards = f", discarding {written(gone)}" if gone else ""
            return f"Seat {event.seat} kept {what}{discards}{_for_them(event.by)}"
        case e.HandSplit():
            both = [written(sees(event, name)) for name in ("first", "second")]
            hands = f" into {both[0]} and {both[1]}" if all(both) else ""
            bonus = f" and {spoken(event.bonus)} on its bonus" if event.bonus else ""
            return f"Seat {event.seat} split{hands}, with {spoken(event.wager)} on the second hand{bonus}"
    return ""


def _asked(stage: str) -> str:
    return stage[:1].upper() + stage[1:]


def _for_them(by: str) -> str:
    return f", by word of the {by}" if by else ""


def _of_cards(event: e.Event, board: tuple[Card, ...], order: tuple[str, ...], sees: Sees) -> str:
    match event:
        case e.CardsDealt():
            faces = _faces(sees(event, "sealed") or event.face)
            return f"{cards_counted(event.count).capitalize()} went to {_place(event.to)}{faces}"
        case e.CardsBurned():
            return f"{cards_counted(event.count).capitalize()} burned{_faces(sees(event, 'sealed'))}"
        case e.BoardTurned():
            return f"The board shows {written(board)}"
        case e.PlayersLooked():
            return "Players looked at their cards"
        case e.StubCounted():
            right = "right" if event.right else f"{event.expected} were due"
            return f"The stub was counted: {cards_counted(event.count)}, {right}"
        case e.DealerRevealed():
            reads = f", {reading(event.face, board, order) or event.reads}" if event.reads else ""
            qualified = {True: ", and qualifies", False: ", and does not qualify", None: ""}[
                event.qualifies
            ]
            return f"The dealer shows {written(event.face)}{reads}{qualified}"
        case e.DealerHandSet():
            way = f"; the house way keeps {written(event.house_way)}" if event.house_way else ""
            return f"The dealer keeps {written(event.kept)}{way}"
        case e.HandChallenged():
            return f"Seat {event.seat} challenged the dealer's hand"
        case e.ChallengeAnswered():
            right = "was set anew by the house way" if event.changed else "was right"
            return f"The dealer's hand {right}: {written(event.kept)}"
        case e.PayoutsShown():
            odds = listed((f"{hand} {pays}" for hand, pays in event.odds.items()), "and")
            return f"For {event.hands} hands Cover All pays {odds}"
        case e.HandTurned():
            which = "'s second hand" if event.hand > 1 else ""
            reads = reading(event.face, board, order) or event.reads
            return f"Seat {event.seat}{which} shows {written(event.face)}: {reads}"
    return ""


def reading(held: tuple[Card, ...], board: tuple[Card, ...], order: tuple[str, ...]) -> str:
    """A hand with the five cards that play, where the whole board lies face up."""
    if len(held) != 2 or len(board) != 5:
        return ""
    best = read((*held, *board), order)
    return f"{best.words} ({written(best.cards)})"


def _of_money(event: e.Event, board: tuple[Card, ...], order: tuple[str, ...], sees: Sees) -> str:
    match event:
        case e.WagerSettled():
            return _settled(event)
        case e.AwardKeyed():
            right = "" if event.right else ", which the cards do not make"
            return f"{event.hand.capitalize()} was keyed for seat {event.seat}{right}"
        case e.AwardUnkeyed():
            return f"{event.hand.capitalize()} was turned off again for seat {event.seat}"
        case e.ApprovalAsked():
            what = f"{event.wager.replace('_', ' ')} of seat {event.seat}"
            return f"The {event.who} was asked to approve {spoken(event.amount)} on the {what}"
        case e.PaymentApproved():
            return f"The {event.by} approved it"
        case e.WagersReturned():
            what = _staked(
                {**event.wagers, **({"progressive": event.collected} if event.collected else {})}
            )
            tips = f", and the dealer's {_staked(event.tips)}" if event.tips else ""
            coupon = ", and the coupon" if event.coupon else ""
            return f"Seat {event.seat} has back {what or 'nothing'}{tips}{coupon}"
        case e.MispaymentMade():
            how = "too much" if event.amount > 0 else "too little"
            paid = f"{spoken(abs(event.amount))} {how}"
            return f"Seat {event.seat} was handed {paid} on the {event.wager.replace('_', ' ')}"
        case e.PaymentCorrected():
            way = "given to" if event.amount > 0 else "taken back from"
            what = f"the {event.wager.replace('_', ' ')} was put right"
            return f"{spoken(abs(event.amount))} was {way} seat {event.seat}: {what} by the {event.by}"
    return ""


def _settled(event: e.WagerSettled) -> str:
    name = event.wager.replace("_", " ")
    whose = f"Seat {event.seat}'s {'second ' if event.hand > 1 else ''}{name}"
    if event.for_dealer:
        whose = f"The dealer's {name} at seat {event.seat}"
    if event.coupon:
        whose = f"The coupon of {spoken(event.coupon)} at seat {event.seat}"
    if event.from_seat:
        whose += f", for the hand of seat {event.from_seat},"
    stake = f" of {spoken(event.stake)}" if event.stake else ""
    odds = f" {event.odds}," if event.odds else ""
    cut = f"; a limit cut {spoken(event.cut)}" if event.cut else ""
    meter = f", off the {event.meter} meter" if event.meter and event.awarded else ""
    match event.result:
        case "win":
            kept = "" if event.back >= event.won + event.stake else ", the wager kept"
            return f"{whose}{stake} won{odds} {spoken(event.won)}{meter}{kept}{cut}"
        case "push":
            return f"{whose}{stake} pushed"
    return f"{whose}{stake} lost"


def _of_trouble(event: e.Event, board: tuple[Card, ...], order: tuple[str, ...], sees: Sees) -> str:
    match event:
        case e.CardExposed():
            back = ", and was turned back" if event.turned_back else ""
            return f"A card of {_place(event.at)} was exposed, {written(event.face)}{back}"
        case e.FaceUpFound():
            use = "used as the next card" if event.used else "put aside"
            return f"{written(event.face)} lay face up in the deck and was {use}"
        case e.CardDrawn():
            return f"A card was drawn in error{_faces(sees(event, 'sealed'))}; it is used as the next"
        case e.ExtraDealt():
            return f"A card too many went to {_place(event.at)}{_faces(sees(event, 'sealed'))}"
        case e.CardSkipped():
            return f"{_asked(_place(event.at))} was passed over in the deal"
        case e.WrongNumberFound():
            return f"{_asked(_place(event.at))} was found with {cards_counted(event.count)}"
        case e.HandCured():
            return f"The dealer was dealt what was missing{_faces(sees(event, 'sealed'))}"
        case e.HandVoided():
            return f"The hand of seat {event.seat} is void"
        case e.RoundVoided():
            trips = "; trips is still settled" if event.trips else ""
            return f"All hands are void: {event.why}{trips}"
        case e.DeviceJammed():
            return f"A device failed: {event.kind}"
        case e.BackupTaken():
            return f"The back-up device was taken: {event.device or 'the spare one'}"
    return ""


def closing(event: e.RoundClosed, names: Mapping[int, str]) -> list[str]:
    """What a round came to, seat by seat and for the house, and that it sums to nothing."""
    found = []
    for number, net in event.net.items():
        word = f"won {spoken(net)}" if net > 0 else f"lost {spoken(-net)}" if net else "came out even"
        found.append(f"Seat {number}{names.get(number, '')} {word}")
    moved: dict[str, Any] = {name: micro for name, micro in event.changes.items() if micro}
    told = [f"{name} {_micro(micro)}" for name, micro in moved.items()]
    rest = sum(event.net.values()) * MICRO + sum(event.changes.values())
    players = f"players {_signed(sum(event.net.values()))}"
    total = "nothing" if rest == 0 else f"{rest} millionths of a cent, which cannot be"
    found.append(f"Together: {', '.join([players, *told])}; it sums to {total}")
    return found


def _signed(amount: int) -> str:
    return spoken(amount) if amount < 0 else f"+{spoken(amount)}"
