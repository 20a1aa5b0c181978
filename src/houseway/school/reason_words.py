"""The sentences of a review: reasons, verdicts and the names of choices. Every sentence of the school is
written here.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from houseway.cards import RANK_WORDS, RANKS
from houseway.money import exactly
from houseway.ranking.classes import plural
from houseway.school.choice_reasons import Reason
from houseway.school.decision_values import ValuedDecision
from houseway.wording import capital

LEAST: Final = Fraction(1, 10_000)
"""Smaller differences are written as "less than 0.0001"."""


def reason_words(reason: Reason) -> str:
    """Return a reason as one text."""
    return " ".join(reason_sentences(reason))


def reason_sentences(reason: Reason) -> tuple[str, ...]:
    """Return the sentences of a reason, the most important one first."""
    write = {
        "starting hand": _start,
        "flop": _flop,
        "cards against": _cards_against,
        "dealer hands": _dealer_hands,
        "four cards": _four_cards,
    }[reason.kind]
    return *write(reason), *_comparison(reason)


def verdict_words(valued: ValuedDecision, stake: int, unit: str = "ante") -> str:
    """Return the verdict on a decision. `stake` is the ante (or the wager) in cents."""
    if not valued.loss:
        behind = units(valued.lead, unit)
        lead = f" Close call: the next choice is {behind} behind." if valued.close else ""
        return f"You chose the best play.{lead}"
    money = exactly(round(valued.loss * stake))
    if valued.close:
        return f"Close call: {units(valued.loss, unit)}, {money}. It counts as neither right nor wrong."
    return f"Cost you {units(valued.loss, unit)}, {money}."


def units(amount: Fraction, unit: str = "ante") -> str:
    """Return an amount in antes or wagers, with four decimals: "0.3410 antes"."""
    if 0 < abs(amount) < LEAST / 2:
        return f"less than 0.0001 {unit}s"
    return f"{signed(amount)} {unit}s"


def signed(amount: Fraction) -> str:
    """Return a number with four decimals and a minus sign: "−0.5167"."""
    return f"{float(amount):.4f}".replace("-", "−")


def edge_words(value: Fraction | None, unit: str = "ante") -> str:
    """Return the sentence about the house edge. `value` is the value of a round under best play."""
    share = "" if value is None else f": {100 * float(-value):.4f} % of the {unit}"
    return f"The house has the edge, even against perfect play{share}."


def choice_words(choice: str) -> str:
    """Return a choice as on a button: "Check", "Play 4×", "Keep As Ad"."""
    if choice[:1].isdecimal():
        return f"Play {choice.removesuffix('x')}×"
    return capital(choice)


def doing(choice: str) -> str:
    """Return a choice as a gerund: "checking", "playing 4×", "keeping As Ad"."""
    if choice[:1].isdecimal():
        return f"playing {choice.removesuffix('x')}×"
    verb, _, cards = choice.partition(" ")
    gerund = "splitting" if verb == "split" else f"{verb}ing"
    return f"{gerund} {cards}".rstrip()


def start_words(name: str) -> str:
    """Return a starting hand in words: "jack three offsuit", "pair of sevens"."""
    pair = name[0] == name[1]
    return _without_suits(name) if pair else f"{_without_suits(name)} {_suited(name)}"


def _without_suits(name: str) -> str:
    high, low = (RANKS.index(rank) for rank in name[:2])
    return f"pair of {plural(high)}" if high == low else f"{RANK_WORDS[high]} {RANK_WORDS[low]}"


def _suited(name: str) -> str:
    return "suited" if name.endswith("s") else "offsuit"


def _comparison(reason: Reason) -> list[str]:
    if not reason.worse:
        return []
    better, worse = capital(doing(reason.better)), doing(reason.worse)
    if not reason.gap:
        return [f"{better} and {worse} are worth the same."]
    gap = "less than 0.0001" if reason.gap < LEAST / 2 else f"{float(reason.gap):.4f}"
    return [f"{better} is worth {gap} more than {worse}."]


def _start(reason: Reason) -> list[str]:
    figures, words = reason.figures, reason.words
    if "plays" not in figures:
        return []
    name, raising = words["hand"], words["raise"].replace("x", "×")
    just = "just " if figures["just"] else ""
    side = "above" if figures["plays"] else "below"
    line = words.get("line", "")
    if line == "none":
        return [f"No {_family_words(name)} plays {raising}."]
    if line and line == words["lowest"]:
        return [f"Every {_family_words(name)} plays {raising}."]
    if line == name:
        return [f"{capital(start_words(name))} is {_lowest(name)} that plays {raising}."]
    said = [f"{capital(start_words(name))} is {just}{side} the {raising} line."]
    if line:
        said.append(f"{capital(_without_suits(line))} is {_lowest(line)} that plays {raising}.")
    return said


def _family_words(name: str) -> str:
    """Return "offsuit king", "suited jack" or "pair"."""
    if name[0] == name[1]:
        return "pair"
    return f"{_suited(name)} {RANK_WORDS[RANKS.index(name[0])]}"


def _lowest(name: str) -> str:
    return f"the lowest {_family_words(name)}"


def _flop(reason: Reason) -> list[str]:
    figures, words = reason.figures, reason.words
    said = []
    if figures["board_pair"]:
        said.append(f"The {words['hand']} is on the board, so the dealer has it too.")
    if "flush_card" in words and figures["flush_outs"]:
        card = RANK_WORDS[RANKS.index(words["flush_card"])]
        outs = f"{figures['flush_outs']} of the {figures['unseen']} unseen cards complete it"
        said.append(f"You have four to a flush with {_article(card)} {card}: {outs}.")
    if figures["straight_outs"]:
        said.append(f"{figures['straight_outs']} of the {figures['unseen']} unseen cards make a straight.")
    ties = f" and ties {figures['ties']:,}" if figures["ties"] else ""
    hand = "hand" if figures["board_pair"] else _subject(words["hand"])
    said.append(f"Your {hand} is ahead of {_of_hands(figures, 'ahead')}{ties}.")
    return said


def _cards_against(reason: Reason) -> list[str]:
    figures, words = reason.figures, reason.words
    against, line = figures["against"], figures["line"]
    verb = "beats" if against == 1 else "beat"
    said = [f"{against} of the {figures['unseen']} unseen cards {verb} you."]
    if against >= line:
        said.append(f"With {line} or more, folding is better.")
    else:
        said.append(f"Folding is better only with {line} or more.")
    said.append(f"{capital(_subject(words['hand']))} loses to {_of_hands(figures, 'loses')}.")
    return said


def _dealer_hands(reason: Reason) -> list[str]:
    figures, words = reason.figures, reason.words
    most = figures.get("most_losses")
    if most is not None and figures["loses"] > most:
        limit = f"With more than {most:,}, folding is better."
        return [f"{capital(_subject(words['hand']))} loses to {_of_hands(figures, 'loses')}.", limit]
    ties = f" and ties {figures['ties']:,}" if figures["ties"] else ""
    return [f"Your {_subject(words['hand'])} beats {_of_hands(figures, 'wins')}{ties}."]


def _of_hands(figures: Mapping[str, int], which: str) -> str:
    return f"{figures[which]:,} of the dealer’s {figures['hands']:,} hands"


def _four_cards(reason: Reason) -> list[str]:
    if "worse" not in reason.words:
        return []
    better, worse = (_hands_words(reason.words[which]) for which in ("better", "worse"))
    values = signed(reason.value), signed(reason.value - reason.gap)
    return [
        f"{capital(better)} {_is(better)} worth {values[0]} {reason.unit}s.",
        f"{capital(worse)} {_is(worse)} worth {values[1]}.",
    ]


def _is(hands: str) -> str:
    return "together are" if " and " in hands else "is"


def _hands_words(names: str) -> str:
    return " and ".join(map(start_words, names.split()))


def _subject(hand: str) -> str:
    """Return a hand for use before a verb: "full house, nines over kings,"."""
    return f"{hand}," if "," in hand else hand


def _article(word: str) -> str:
    return "an" if word[0] in "aeiou" else "a"
