"""Positions, analyses, ratings and score sheets as messages, for the page and for programs."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from houseway.client import practice_messages as p
from houseway.report.solution_data import number
from houseway.school.choice_reasons import hand_name, reason_for
from houseway.school.decision_values import ValuedDecision
from houseway.school.game_values import GameValues
from houseway.school.player_decisions import EVERY_STREET, Decision
from houseway.school.position_kinds import KINDS, Kind, kind_of
from houseway.school.position_links import write_link
from houseway.school.position_words import (
    STAKE,
    choice_key,
    dollars_words,
    effect_words,
    plus,
    wager_words,
)
from houseway.school.positions import Position
from houseway.school.practice_positions import PracticePosition, link_of, streets_of
from houseway.school.rating import LADDERS, LEAST_DECISIONS, Rating, score_sheet
from houseway.school.reason_pictures import ReasonPicture, held_words, reason_picture
from houseway.school.reason_words import choice_words, edge_words, reason_sentences, signed, verdict_words
from houseway.school.themes import THEMES, themes_of


def spot_message(
    game: GameValues, decision: Decision, *, badge: str = "", place: int = 0
) -> p.PracticeSpot:
    """Return a position without its answer. It takes nothing but the cards that the player sees."""
    names = decision.choices
    return p.PracticeSpot(
        number=place,
        street=decision.street,
        cards=tuple(map(str, decision.hole)),
        board=tuple(map(str, decision.board)),
        wagers=wager_words(game.terms),
        choices=tuple(
            p.SpotChoice(
                choice=name,
                title=choice_words(name),
                effect=effect_words(game.terms, name),
                key=choice_key(name, n),
            )
            for n, name in enumerate(names, 1)
        ),
        badge=badge[:1].upper() + badge[1:],
    )


def analysis_message(game: GameValues, spot: Position, choice: str = "") -> p.SpotAnalysis:
    """Return the analysis of an answered position. Without a choice, it is that of the best one."""
    valued = spot.answer(choice or spot.best)
    reason = reason_for(game, valued)
    picture = reason_picture(game, valued, reason)
    own = hand_name(spot.decision.hole) if picture is not None and picture.line else ""
    return p.SpotAnalysis(
        verdict=verdict_of(valued),
        sentence=verdict_words(valued, STAKE, game.unit) if choice else "",
        because=reason_sentences(reason),
        hand=_capital(held_words(game, spot.decision)),
        unit=game.unit,
        stake=STAKE,
        values=tuple(
            p.SpotValue(
                choice=name,
                text=plus(value),
                dollars=dollars_words(value),
                best=name == spot.best,
                yours=name == choice,
                **number(value),
            )
            for name, value in spot.values.items()
        ),
        picture=_picture(picture, own) if picture is not None else None,
        kind=kind_of(game.terms, spot.decision).words,
        themes=tuple(theme.words for theme in themes_of(game, spot)),
        link=write_link(game, spot.decision.hole, spot.decision.board),
    )


def _picture(picture: ReasonPicture, own: str) -> p.SpotPicture:
    hands = (p.PictureHand(hand=one.hand, plays=one.plays, yours=one.hand == own) for one in picture.line)
    return p.SpotPicture(
        form=picture.form,
        against=tuple(map(str, picture.against)),
        ahead=picture.ahead,
        ties=picture.ties,
        behind=picture.behind,
        line=tuple(hands),
    )


def verdict_of(valued: ValuedDecision) -> p.SpotVerdict:
    """Return the verdict on an answer. A close call counts as neither right nor wrong."""
    if valued.close:
        return "close"
    return "right" if valued.right else "wrong"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


# --- ratings and score sheets ---


def rating_message(rating: Rating) -> p.RatingReply:
    """Return a rating with its interval."""
    found = rating.estimate
    return p.RatingReply(
        ladder=rating.ladder,
        about=LADDERS[rating.ladder],
        decisions=rating.decisions,
        least=LEAST_DECISIONS,
        words=rating.words,
        skill=_finite(found.skill) if found else None,
        low=_finite(found.low) if found else None,
        high=_finite(found.high) if found else None,
    )


def _finite(value: float) -> float | None:
    return value if abs(value) != float("inf") else None


def result_message(
    game: GameValues,
    positions: Sequence[PracticePosition],
    choices: Sequence[str],
    times: Sequence[int],
    ratings: Sequence[Rating],
) -> p.PracticeResult:
    """Return the score sheet of a session."""
    sheet = score_sheet(positions, choices)
    return p.PracticeResult(
        answered=sheet.decisions,
        graded=sheet.graded,
        right=sheet.right,
        lost=signed(sheet.lost),
        reference=f"{sheet.reference:.4f}",
        unit=game.unit,
        median=round(median(times)) if times else 0,
        streets=tuple(
            p.StreetResult(street=street, graded=one.graded, right=one.right, lost=signed(one.lost))
            for street in EVERY_STREET
            if (one := sheet.streets.get(street)) is not None
        ),
        mistakes=tuple(
            p.SpotMistake(
                number=one.number,
                street=one.valued.decision.street,
                cards=tuple(map(str, one.valued.decision.hole)),
                board=tuple(map(str, one.valued.decision.board)),
                yours=choice_words(one.valued.decision.choice),
                best=choice_words(one.valued.best),
                lost=signed(one.valued.loss),
                link=link_of(game, one.shown),
            )
            for one in sheet.mistakes
        ),
        ratings=tuple(map(rating_message, ratings)),
        edge=edge_words(game.value, game.unit),
    )


# --- topics ---


def kind_topics(game: GameValues) -> tuple[p.PracticeTopic, ...]:
    """Return the kinds of position that a game has."""
    streets = streets_of(game)
    return tuple(_topic(kind, (kind.street,)) for kind in KINDS.values() if kind.street in streets)


def theme_topics(game: GameValues) -> tuple[p.PracticeTopic, ...]:
    """Return the themes that a game can have."""
    streets = streets_of(game)
    return tuple(
        p.PracticeTopic(name=theme.name, words=theme.words, streets=shared)
        for theme in THEMES.values()
        if (shared := tuple(street for street in theme.streets if street in streets))
    )


def _topic(kind: Kind, streets: tuple[str, ...]) -> p.PracticeTopic:
    return p.PracticeTopic(name=kind.name, words=kind.words, streets=streets)
