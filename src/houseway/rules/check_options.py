"""Check that the options of a rulebook agree with its procedure, limits, settings and settlement passes.

Only options that no other code reads are checked here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from houseway.money import dollars
from houseway.rules.options import SHOOTOUT
from houseway.rules.problems import Problem
from houseway.rules.procedure import SECTIONS, Step
from houseway.rules.rulebook import Pass, Rulebook

Agrees = Callable[[Rulebook, Any], bool]
"""A function that returns True if the rulebook does what the value of an option says."""
NONE: Final = "none"


def check(rulebook: Rulebook) -> Iterator[Problem]:
    """Yield a problem for every option that does not agree with the rest of the rulebook."""
    for option, agrees in AGREE.items():
        cited = rulebook.options.get(option)
        if cited is not None and not agrees(rulebook, cited.value):
            wrong = f"{_in_words(cited.value)} is not what the procedure does"
            yield Problem(f"options.{option}", wrong, "change the option or the procedure")
    for option, (agrees, where) in AGREE_ELSEWHERE.items():
        cited = rulebook.options.get(option)
        if cited is not None and not agrees(rulebook, cited.value):
            wrong = f"{_in_words(cited.value)} does not agree with {where}"
            yield Problem(f"options.{option}", wrong, f"change the option or {where}")


def _in_words(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {below}" for key, below in value.items())
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "an empty list"
    return str(value).lower() if isinstance(value, bool) else repr(value)


# --- what a procedure does ---


def _usual(rulebook: Rulebook, section: str, mode: str) -> list[Step]:
    """Return the steps of a section that are performed in a deal mode under the default house settings."""
    return [
        step
        for step in rulebook.procedure.steps(section)
        if (not step.modes or mode in step.modes)
        and (not step.when or any(_assumed(rulebook, mode, settings) for settings in step.when))
    ]


def _assumed(rulebook: Rulebook, mode: str, settings: Mapping[str, Any]) -> bool:
    known = {name: rulebook.house[name].assumed_in(mode) for name in settings if name in rulebook.house}
    return all(
        known.get(name) in value if isinstance(value, list) else known.get(name) == value
        for name, value in settings.items()
    )


def _with_act(steps: Iterable[Step], *acts: str) -> list[Step]:
    return [step for step in steps if step.act in acts]


def _unless(without: object, does: Callable[[Rulebook], bool]) -> Agrees:
    """Return a check: `does` must return False if the option has the value `without`, otherwise True."""
    return lambda rulebook, value: does(rulebook) == (value != without)


def _is(does: Callable[[Rulebook], object]) -> Agrees:
    """Return a check that the option has the value that `does` returns."""
    return lambda rulebook, value: value == does(rulebook)


def _only(value: object) -> Agrees:
    """Return a check that the option has this value, the only one that tables implement."""
    return lambda rulebook, chosen: chosen == value


def _has(section: str, act: str) -> Callable[[Rulebook], bool]:
    return lambda rulebook: any(step.act == act for step in rulebook.procedure.steps(section))


def _leaves_open(name: str) -> Callable[[Rulebook], bool]:
    return lambda rulebook: name in rulebook.house


# --- opening, shuffle and deal ---


def _deck_standard(rulebook: Rulebook, value: Any) -> bool:
    """True if the opening confirms that each deck meets the standard; plain decks need no confirmation."""
    confirmed = [
        str(step.rules["item"].value)
        for step in rulebook.procedure.opening
        if step.act == "confirm" and {"item", "each_deck"} <= step.rules.keys()
    ]
    if value in (NONE, STANDARD):
        return not confirmed
    return bool(confirmed) and all(str(value) in item for item in confirmed)


STANDARD: Final = "standard decks of 52 cards"


def _cover_cards(rulebook: Rulebook, value: Any) -> bool:
    colours = rulebook.procedure.standing.get("cover_colours")
    named = colours.value if colours is not None and isinstance(colours.value, list) else ()
    used = bool(named) or _covers(rulebook)
    return used == (value != NONE) and all(str(colour) in str(value) for colour in named)


def _covers(rulebook: Rulebook) -> bool:
    """True if the dealer's cards are dealt under a cover card."""
    return any("covered" in step.rules for step in _with_act(rulebook.procedure.round, "deal"))


def _opening(rulebook: Rulebook) -> str:
    """Return the parts of the opening in order."""
    parts = []
    for step in rulebook.procedure.opening:
        inspects = step.act == "inspect" or (step.act == "note" and "named" in step.rules)
        part = "inspect" if inspects else OPENING.get(step.act, "")
        if part and part not in parts:
            parts.append(part)
    if _has("shuffling", "shuffle")(rulebook) and "shuffle" not in parts:
        parts.append("shuffle")
    return ", ".join(parts)


OPENING: Final = {"offer inspection": "spread", "wash": "wash", "shuffle": "shuffle"}
"""The parts of an opening, by the act of the step."""


def _shuffle(rulebook: Rulebook) -> str:
    if not _has("shuffling", "shuffle")(rulebook):
        return NONE
    if "lasts" in rulebook.procedure.standing:
        return "each shoe"
    by_hand = "manual" in rulebook.modes or "shuffler" in rulebook.house
    return "before play and after each round" if by_hand else "by the device"


def _cut(rulebook: Rulebook) -> str:
    """Return when the cards are cut."""
    cuts = _with_act(rulebook.procedure.shuffling, "cut")
    if not cuts:
        return NONE
    if any("by_player" in step.rules for step in cuts):
        return "a player's cut card"
    always = any(not step.when and (not step.modes or "manual" in step.modes) for step in cuts)
    return "with every hand shuffle" if always else "if required"


def _mode_approvals(rulebook: Rulebook, value: Any) -> bool:
    """True if a step confirms the approval of each deal mode under the option's clause."""
    cited = rulebook.options["mode_approvals"]
    confirmed = {
        mode: [step.basis.clause(mode) for step in steps if step.act == "confirm" and step.modes == (mode,)]
        for mode in rulebook.modes
        for steps in (rulebook.procedure.opening,)
    }
    if value == NONE:
        return not any(confirmed.values())
    own = cited.basis.own is not None
    return all(clauses and (own or cited.clause(mode) in clauses) for mode, clauses in confirmed.items())


def _deal_by_hand(rulebook: Rulebook) -> str:
    if "manual" not in rulebook.modes:
        return "not used"
    deals = [s for s in _with_act(_usual(rulebook, "round", "manual"), "deal") if "board" not in s.to]
    together = {step.each for step in deals}
    pattern = {1: "one at a time", 4: "four at a time"}.get(next(iter(together), 0), "")
    covered = all("covered" in step.rules for step in deals if step.to == ("dealer",)) and _covers(rulebook)
    return pattern + (", dealer's under a cover card" if covered else "") if len(together) == 1 else ""


def _deal_by_device(rulebook: Rulebook) -> str:
    if "device" not in rulebook.modes:
        return "not used"
    deals = _with_act(_usual(rulebook, "round", "device"), "deal")
    order = [(place, step.each) for step in deals for place in step.to]
    if order != [("board", 5), ("players", 2), ("dealer", 2)]:
        return ""
    nest = "nest" in deals[-1].rules
    return "board, pairs, dealer's left in the nest" if nest else "board, pairs, dealer last"


def _looking(rulebook: Rulebook) -> str:
    """Return when players look at their cards."""
    looks = _with_act(rulebook.procedure.round, "look")
    if not looks:
        return NONE
    cycled = all({"cycled", "one_hand"} <= step.rules.keys() for step in looks)
    return "after the shuffler is cycled, one hand" if cycled else "after the deal"


def _burns(rulebook: Rulebook, value: Any) -> bool:
    if not isinstance(value, dict):
        return True
    streets = sum(1 for stage in rulebook.stages if stage.board == 0 or not stage.fold)
    burned = {
        mode: _burned(s for s in rulebook.procedure.round if not s.modes or mode in s.modes)
        for mode in rulebook.modes
    }
    return all(burned[mode] == value.get(mode, 0) * streets for mode in burned)


def _burned(steps: Iterable[Step]) -> int:
    return sum(step.each for step in steps if step.act == "burn")


def _loads_shoe(rulebook: Rulebook) -> bool:
    """True if a deck dealt by hand is put into a shoe."""
    loads = _with_act(rulebook.procedure.shuffling, "load")
    return "manual" in rulebook.modes and any(not s.modes or "manual" in s.modes for s in loads)


# --- wagers, limits and turns ---


def _decks(rulebook: Rulebook) -> list[int]:
    """Return the numbers of decks that the house may choose."""
    setting = rulebook.house.get("decks")
    if setting is None or setting.low is None or setting.high is None:
        return [rulebook.ranking.decks]
    return list(range(setting.low, setting.high + 1))


def _bounds(rulebook: Rulebook, name: str) -> list[int | None] | None:
    """Return the bounds of a house setting, or None if the rulebook does not have it."""
    setting = rulebook.house.get(name)
    return None if setting is None else [setting.low, setting.high]


def _highest(name: str) -> Agrees:
    """Return a check that the option has the highest value of a house setting, if the setting exists."""
    return lambda rulebook, value: (_bounds(rulebook, name) or [value])[-1] == value


def _minimum_bet(rulebook: Rulebook, value: Any) -> bool:
    minima = [limit.minima for limit in rulebook.limits.values() if limit.minima]
    if value == HOUSE:
        return not minima or any(cited.basis.own for cited in minima)
    return bool(minima) and all(" or ".join(map(_dollars, cited.value)) == value for cited in minima)


def _maximum_bet(rulebook: Rulebook, value: Any) -> bool:
    maxima = [limit.maximum for limit in rulebook.limits.values() if limit.maximum]
    if value == HOUSE:
        return rulebook.bet_limit is None and (not maxima or any(cited.basis.own for cited in maxima))
    if value == "posted, within the bet limit":
        return rulebook.bet_limit is not None
    return bool(maxima) and all(_dollars(cited.value) == value for cited in maxima)


HOUSE: Final = "house"
"""The option value for a limit that the document leaves to the house."""


def _dollars(amount: int) -> str:
    return dollars(amount).removesuffix(".00")


def _form_of_wagers(rulebook: Rulebook) -> str:
    standing = rulebook.procedure.standing
    chips = standing.get("chips")
    kinds = (
        " or ".join(map(str, chips.value)) if chips is not None and isinstance(chips.value, list) else ""
    )
    return f"{kinds}, no verbal cash" if "verbal" in standing else kinds


def _cards_after_play(rulebook: Rulebook, value: Any) -> bool:
    asks = [step for step in rulebook.procedure.round if step.act == "ask" and step.stage]
    places = {step.rules["tucked"].value if "tucked" in step.rules else LAYOUT for step in asks}
    return not asks or places == {value}


LAYOUT: Final = "face down on the layout"


def _answers_checks(rulebook: Rulebook) -> bool:
    return any(cue.moment == "checked" for cue in rulebook.procedure.cues)


def _in_turn(rulebook: Rulebook) -> bool:
    asks = _with_act(rulebook.procedure.round, "ask")
    return all(step.stage or "order" in step.rules for step in asks)


def _seated(rulebook: Rulebook) -> str:
    stays = rulebook.procedure.standing.get("stays")
    return "seated to the end of the round" if stays is not None and stays.value == "seated" else "seated"


# --- folds and settlement ---


def _folded_trips(rulebook: Rulebook) -> str:
    if rulebook.option("held_for") in (None, "no trips"):
        return "settled when folds are collected"
    held = next((p for p in rulebook.settlement if _settles(p, "trips", "held")), None)
    reached = held is not None and _settles(held, "trips", "standing")
    return "held, settled when reached" if reached else "held, settled at the end of the round"


def _settles(settlement_pass: Pass, wager: str, hands: str) -> bool:
    """True if a pass settles this wager for this kind of hand."""
    steps = (s for s in settlement_pass.steps if s.wager == wager)
    return hands in settlement_pass.hands and any(not s.hands or hands in s.hands for s in steps)


def _folded_cards(rulebook: Rulebook, value: Any) -> bool:
    taken = _with_act(rulebook.procedure.round, "take folds")
    if not any("counted" in step.rules for step in taken):
        return bool(value == "racked")
    if not any("at_once" in step.rules for step in taken):
        return bool(value == "spread, counted, racked")
    if "progressive" not in rulebook.wagers:
        return value in (TRIPS_HOLDS, PROGRESSIVE_HOLDS)
    later = [p for p in rulebook.settlement if p.name not in {step.pass_name for step in taken}]
    kept = any(_settles(p, "progressive", "folded") for p in later)
    return bool(value == (PROGRESSIVE_HOLDS if kept else TRIPS_HOLDS))


TRIPS_HOLDS: Final = "spread and racked at once, unless trips holds them"
PROGRESSIVE_HOLDS: Final = "spread and racked at once, unless trips or the progressive holds them"


def _ante_return(rulebook: Rulebook) -> str:
    setting = rulebook.house.get("ante_return")
    if setting is not None:
        return str(setting.assumed)
    refunds = any(p.when.get("dealer_qualifies") is False for p in rulebook.settlement)
    return "refund_pass" if refunds else "in_sequence"


def _cover_all_device(rulebook: Rulebook) -> str:
    confirms = (s.rules.get("wager") for s in rulebook.procedure.opening if s.act == "confirm")
    confirmed = any(rule is not None and rule.value == "cover_all" for rule in confirms)
    return "set to Cover All" if confirmed else NONE


def _rebuildable(rulebook: Rulebook, value: Any) -> bool:
    if value != "in order":
        return any(cue.moment == "always" for cue in rulebook.procedure.cues)
    collected = {place for s in _with_act(rulebook.procedure.round, "collect") for place in s.to}
    return {"players", "board", "dealer"} <= collected


def _stub_count(rulebook: Rulebook, value: Any) -> bool:
    counts = _with_act(rulebook.procedure.round, "count stub")
    if value == NONE:
        return not counts
    every = [step.rules["every"].value for step in counts if "every" in step.rules]
    return every == [STUB_ROUNDS] and all({"device_counts": False} in step.when for step in counts)


STUB_ROUNDS: Final = 5
"""The number of rounds that the option `stub_count` names."""


def _flop(rulebook: Rulebook, value: Any) -> bool:
    turns = _with_act(rulebook.procedure.round, "turn")
    return rulebook.game != SHOOTOUT or [step.each for step in turns] == [5]


def _excluded(rulebook: Rulebook, value: Any) -> bool:
    """True if no item to confirm and no line of the script names an excluded provision."""
    steps = [step for section in SECTIONS for step in rulebook.procedure.steps(section)]
    texts = [words.says for step in steps for words in step.words]
    texts += [str(step.rules["item"].value) for step in steps if "item" in step.rules]
    return not any(provision in text for provision in value for text in texts)


# --- irregularities ---


def _then(rulebook: Rulebook, kind: str, **when: object) -> set[str]:
    """Return the consequences that an irregularity can have under these conditions."""
    rows = [r for r in rulebook.procedure.irregularities if r.kind == kind]
    return {r.then for r in rows if all(r.when.get(k, v) == v for k, v in when.items())}


def _has_rule(rulebook: Rulebook, rule: str, *kinds: str) -> bool:
    rows = (row for row in rulebook.procedure.irregularities if not kinds or row.kind in kinds)
    return any(rule in row.rules for row in rows)


def _exposed_card(rulebook: Rulebook) -> str:
    if "void" not in _then(rulebook, "exposed card", of="dealer"):
        return "turned back, play goes on"
    trips = _has_rule(rulebook, "trips", "exposed card")
    early = _then(rulebook, "exposed card", of="dealer", all_acted=True) == {"play goes on"}
    return "dealer's before all have acted: void, trips settled" if trips and early else ""


def _face_up_card(rulebook: Rulebook) -> str:
    one = _then(rulebook, "face-up card", several=False)
    if one == {"used"}:
        return "turned back and used"
    void = "void" in _then(rulebook, "face-up card", several=True)
    return "one set aside, two void" if one == {"set aside"} and void else ""


def _players_number(rulebook: Rulebook, value: Any) -> bool:
    then = _then(rulebook, "wrong number", of="player", cured=False)
    return then == ({"void"} if value == "misdeal" else {"hand void"})


def _dealers_number(rulebook: Rulebook, value: Any) -> bool:
    then = _then(rulebook, "wrong number", of="dealer")
    return ("cured" in then) == (value != "misdeal") and "void" in then


def _device_failure(rulebook: Rulebook) -> str:
    if "device" not in rulebook.modes:
        return "no device"
    if _then(rulebook, "machine failure") != {"void"}:
        return ""
    if _has_rule(rulebook, "backup", "machine failure"):
        return "change to the back-up, round void"
    jam = _then(rulebook, "shuffler jam") == {"reshuffle"}
    return "shuffler: reshuffle; dealing machine: round void" if jam else ""


AGREE: Final[Mapping[str, Agrees]] = {
    "decks_in_play": _unless("one", _has("shuffling", "take other deck")),
    "deck_standard": _deck_standard,
    "cover_cards": _cover_cards,
    "opening": _is(_opening),
    "shuffle": _is(_shuffle),
    "cut": _is(_cut),
    "mode_approvals": _mode_approvals,
    "deal_by_hand": _is(_deal_by_hand),
    "deal_by_device": _is(_deal_by_device),
    "looking": _is(_looking),
    "no_more_bets": _unless(False, _has("round", "close betting")),  # noqa: FBT003
    "burns": _burns,
    "burn_per_shoe": lambda book, value: value == _burned(book.procedure.shuffling),
    "kept_minimum": _unless(False, lambda book: "kept" in book.procedure.standing),  # noqa: FBT003
    "form_of_wagers": _is(_form_of_wagers),
    "turn_order": _unless("any order", _in_turn),
    "cards_after_play": _cards_after_play,
    "check_signal": _unless(NONE, _answers_checks),
    "folded_trips": _is(_folded_trips),
    "folded_cards": _folded_cards,
    "one_player_at_a_time": _only(True),  # noqa: FBT003
    "paid_separately": _only(True),  # noqa: FBT003
    "cover_all_device": _is(_cover_all_device),
    "seated": _is(_seated),
    "exposed_card": _is(_exposed_card),
    "face_up_card": _is(_face_up_card),
    "drawn_in_error": lambda book, value: _then(book, "card drawn in error") == {"used"},
    "wrong_number_player": _players_number,
    "wrong_number_dealer": _dealers_number,
    "void_wagers": _unless("all returned", lambda book: _has_rule(book, "trips")),
    "device_failure": _is(_device_failure),
    "stub_count": _stub_count,
    "rebuildable": _rebuildable,
    "dealer_splits": _only(False),  # noqa: FBT003
    "flop": _flop,
    "shoe": _unless(False, _loads_shoe),  # noqa: FBT003
    "excluded": _excluded,
}
"""For each option that describes the procedure, the check that both agree."""
AGREE_ELSEWHERE: Final[Mapping[str, tuple[Agrees, str]]] = {
    "decks": (_is(_decks), "house.decks"),
    "backs": (_unless("one", lambda book: max(_decks(book)) > 1), "house.decks"),
    "minimum_bet": (_minimum_bet, "limits"),
    "maximum_bet": (_maximum_bet, "limits"),
    "match_play": (_unless(NONE, _leaves_open("match_play")), "house.match_play"),
    "ante_return": (_is(_ante_return), "pass"),
    "seats": (_highest("seats"), "house.seats"),
    "cut_card": (lambda book, value: _bounds(book, "cut_card") in (None, value), "house.cut_card"),
}
"""For each option that describes another part of the rulebook, the check and the key of that part."""
