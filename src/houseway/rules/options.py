"""The parameters in which rulebooks differ and that no wager, stage or table says already.

Each has a title for people and the words it may take, or a type where any value will do.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from houseway.rules.problems import meant
from houseway.rules.reading import Reader, kind

ULTIMATE: Final = "ultimate"
SHOOTOUT: Final = "shootout"
GAMES: Final = (ULTIMATE, SHOOTOUT)


@dataclass(frozen=True, slots=True)
class Option:
    """A parameter of a rulebook."""

    name: str
    title: str
    words: tuple[str, ...] | type
    games: tuple[str, ...] = GAMES


_FLAG: Final = bool
_U: Final = (ULTIMATE,)
_S: Final = (SHOOTOUT,)

OPTIONS: Final[tuple[Option, ...]] = (
    Option("designated_table", "Table designated for the game", _FLAG),
    Option("decks", "Decks", list),
    Option("decks_in_play", "Deck alternation", ("one", "alternating"), _U),
    Option("backs", "Back colours of two decks", ("one", "different"), _U),
    Option("deck_standard", "Standard the cards meet", str),
    Option("cover_cards", "Cover cards", str),
    Option(
        "opening",
        "Opening ceremony",
        ("shuffle", "inspect, spread, wash, shuffle", "inspect, shuffle"),
    ),
    Option("shuffle", "Shuffle", ("before play and after each round", "by the device", "each shoe")),
    Option("cut", "Cut", ("with every hand shuffle", "if required", "none", "a player's cut card")),
    Option("cut_least", "Cards a cut takes at least", int, _U),
    Option("cut_card", "Cards behind the cut card", list, _S),
    Option("modes", "Deal modes", list),
    Option("mode_approvals", "Approvals for the deal mode", str, _U),
    Option("device_program", "Device deals the right number to each position", _FLAG, _U),
    Option(
        "deal_by_hand",
        "Deal order by hand",
        (
            "one at a time",
            "one at a time, dealer's under a cover card",
            "not used",
            "four at a time",
        ),
    ),
    Option(
        "deal_by_device",
        "Deal order by device",
        ("board, pairs, dealer last", "board, pairs, dealer's left in the nest", "not used"),
    ),
    Option(
        "looking",
        "Cards may be looked at",
        ("after the deal", "after the shuffler is cycled, one hand"),
    ),
    Option("no_more_bets", '"No more bets" before the first card', _FLAG),
    Option("burns", "Burn before flop, before turn and river", dict, _U),
    Option("burn_per_shoe", "Burn for each new shoe", int, _S),
    Option("minimum_bet", "Minimum bet", ("house", "3 or 5")),
    Option("maximum_bet", "Maximum bet", ("house", "25", "posted, within the bet limit")),
    Option("kept_minimum", "Players kept at the old minimum", _FLAG),
    Option("form_of_wagers", "Form of wagers", ("chips", "chips or plaques, no verbal cash")),
    Option("match_play", "Match play coupons", ("none", "where applicable"), _U),
    Option("offered", "Wagers offered", list),
    Option("tips", "Tip bets for the dealer", list),
    Option("turn_order", "Turn order", ("clockwise",)),
    Option(
        "cards_after_play",
        "Cards after a play bet",
        ("under the play wager", "under the blind", "face down on the layout"),
        _U,
    ),
    Option("check_signal", "Check signal", ("none", "tap"), _U),
    Option(
        "folded_trips",
        "Trips on a fold",
        (
            "settled when folds are collected",
            "held, settled when reached",
            "held, settled at the end of the round",
        ),
        _U,
    ),
    Option("held_for", "A folded hand is held for", ("no trips", "winning trips", "any trips"), _U),
    Option(
        "folded_cards",
        "Folded cards",
        ("spread, counted, racked", "spread and racked at once, unless trips holds them", "racked"),
        _U,
    ),
    Option("qualifier", "Dealer qualifies with", str, _U),
    Option("ante_return", "Ante when the dealer does not qualify", ("in_sequence", "refund_pass"), _U),
    Option("one_player_at_a_time", "One player at a time", _FLAG),
    Option("paid_separately", "Each wager paid separately", _FLAG),
    Option("odds_wording", "Odds wording in print", ("to and for", "to", "to or win")),
    Option("linked_games", "Linked games", ("none", "same pay table, wager and number of decks"), _U),
    Option("cover_all_device", "Cover All device mode", ("none", "set to Cover All"), _U),
    Option("seats", "Seats", int),
    Option("more_positions", "More than one position", _FLAG),
    Option("seated", "Seated, standing", ("seated", "seated to the end of the round")),
    Option(
        "exposed_card",
        "Exposed card",
        ("turned back, play goes on", "dealer's before all have acted: void, trips settled"),
    ),
    Option(
        "face_up_card",
        "Face-up card in the deck",
        ("turned back and used", "one set aside, two void"),
    ),
    Option("drawn_in_error", "Card drawn in error, unseen", ("used as the next card",)),
    Option("wrong_number_player", "Wrong number of cards, player", ("misdeal", "that hand void")),
    Option(
        "wrong_number_dealer",
        "Wrong number of cards, dealer",
        ("misdeal", "all void unless cured in sequence"),
    ),
    Option(
        "void_wagers",
        "Wagers on a void hand",
        ("all returned", "all returned, trips settled where saved"),
    ),
    Option(
        "device_failure",
        "Device failure",
        (
            "shuffler: reshuffle; dealing machine: round void",
            "change to the back-up, round void",
            "no device",
        ),
    ),
    Option("stub_count", "Stub count", ("none", "every five rounds unless the device counts"), _U),
    Option("rebuildable", "Discards rebuildable", ("in order", "cards in plain view")),
    Option("keep", "Cards a player keeps of four", int, _S),
    Option("split", "Split", ("two pair or four of a kind", "any four cards"), _S),
    Option("second_bonus", "Bonus on a split's second hand", ("up to the original",), _S),
    Option("dealer_splits", "Dealer splits", _FLAG, _S),
    Option("flop", "The common cards", ("five at once",), _S),
    Option("shoe", "Dealt from a shoe", _FLAG),
    Option("excluded", "Excluded provisions", list),
)

BY_NAME: Final = {o.name: o for o in OPTIONS}


def options_of(game: str) -> tuple[Option, ...]:
    """The parameters a game has."""
    return tuple(o for o in OPTIONS if game in o.games)


_NUMBERS: Final = frozenset({"decks", "cut_card"})
"""Options that list numbers; the other lists hold texts."""


def read_value(option: Option, reader: Reader, key: str) -> Any:
    """The value of a parameter, checked against its words or type; None where it has another type."""
    value = reader.raw(key)
    if not isinstance(option.words, type):
        if not isinstance(value, str) or value not in option.words:
            reader.fault(key, f"{value!r} is unknown", meant(str(value), option.words))
            return None
        return value
    if type(value) is not option.words:
        reader.fault(key, f"is {kind(value)}", f"{kind(option.words())} belongs here")
        return None
    if isinstance(value, dict):
        reader.table(key).finish_known(("manual", "device"))
    item = int if option.name in _NUMBERS else str
    if isinstance(value, list) and any(type(v) is not item for v in value):
        reader.fault(key, "lists something else", f"list {'whole numbers' if item is int else 'texts'}")
        return None
    return value
