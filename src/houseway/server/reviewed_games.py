"""The games of stored rounds: their terms, and reviews with exact values. All functions here are slow."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from threading import Lock
from typing import Any, Final, NamedTuple

import msgspec

from houseway.cards import UNSEEN
from houseway.client.review_messages import (
    ExactNumber,
    PlayedGame,
    PlayedReview,
    PlayTotals,
    SkillReply,
    YourPlay,
)
from houseway.engine.made_hands import hand_words
from houseway.engine.table import Table
from houseway.engine.terms import Terms, read_terms
from houseway.errors import InputError
from houseway.exact import UnsolvableError
from houseway.report.solution_data import number
from houseway.rules.recorded_rulebook import recorded_rulebook
from houseway.school.choice_reasons import hand_name
from houseway.school.game_values import GameValues, game_key, game_values, is_counted
from houseway.school.play_summary import summarize
from houseway.school.player_decisions import FOUR_CARDS, STREETS
from houseway.school.position_links import write_link
from houseway.school.rating import answer_of, rate
from houseway.school.reason_words import choice_words, start_words
from houseway.school.result_split import Cause, SplitStep
from houseway.school.review_data import review_data, summary_data
from houseway.school.round_codec import StoredRound, read_stored
from houseway.school.round_review import ReviewedRound, review_round
from houseway.server.play_history import MOST_CACHED, KeptRound, PersonalHistory
from houseway.server.rulebook_library import refused
from houseway.server.solver import held_words
from houseway.server.work_queue import Pauses, without_collections

TERMS: Final = 256
"""The most terms in memory."""
NOT_COUNTED: Final = (
    "The hands of Texas Shootout are not counted on this server yet, so there are no totals. "
    "The operator can count them by running houseway solve shootout-sd once."
)
Texts = Mapping[str, str]


class _Game(NamedTuple):
    """A game that a person has played, with the rounds."""

    name: str
    terms: Terms
    """The terms of its first round. Those of other rounds may have other side bets."""
    rounds: list[tuple[KeptRound, Terms]]


class ReviewedGames:
    """Reviews stored rounds. Its methods wait for the solver, so they run outside the event loop."""

    def __init__(self) -> None:
        self._terms: OrderedDict[tuple[str, bytes], Terms] = OrderedDict()
        self._lock = Lock()

    def terms(self, stored: StoredRound, texts: Texts) -> Terms:
        """Return the terms of a round. Raises InputError if its rulebook cannot be read."""
        key = (stored.hash, msgspec.json.encode(stored.terms, order="deterministic"))
        with self._lock:
            if key in self._terms:
                self._terms.move_to_end(key)
                return self._terms[key]
        book = recorded_rulebook(stored.rulebook, stored.hash, texts.get(stored.hash), InputError)
        terms, refusals = read_terms(book, stored.terms)
        if refusals:
            raise InputError(refusals[0].message)
        with self._lock:
            self._terms[key] = terms
            while len(self._terms) > TERMS:
                self._terms.popitem(last=False)
        return terms

    # --- one round ---

    def review(self, history: PersonalHistory, place: int, texts: Texts) -> PlayedReview:
        """Return the review of a round in a person's history."""
        rounds = history.rounds
        kept = rounds[place]
        try:
            terms = self.terms(kept.stored, texts)
            game = game_values(terms)
            reviewed = review_round(game, read_stored(kept.stored))
        except (InputError, UnsolvableError, ValueError) as error:
            raise refused(409, "no-review", "round", f"this round cannot be reviewed: {error}") from error
        data = review_data(game, reviewed)
        table = Table(terms)
        for decision, each in zip(data["decisions"], reviewed.decisions, strict=True):
            made = each.valued.decision
            start = "" if made.board or game.shootout else hand_name(made.hole)
            words = _capital(start_words(start)) if start else held_words(table, made.hole, made.board)
            decision |= {"position": write_link(game, made.hole, made.board), "start": start, "hand": words}
            for choice in decision["choices"]:
                choice |= {"title": choice_words(choice["choice"]), "times": _times(choice["choice"])}
        titles = {wager.name: wager.title for wager in terms.wagers}
        if data["split"] is not None:
            for step in data["split"]["steps"]:
                step["title"] = choice_words(step["choice"]) if step["choice"] else ""
            for bet in data["split"]["side_bets"]:
                bet["title"] = titles.get(bet["wager"], bet["wager"])
        if data["outcome"] is not None:
            _name_outcome(data["outcome"], table, reviewed)
        stages = sorted(terms.rulebook.stages, key=lambda stage: stage.board)
        data |= {
            "id": kept.id,
            "source": kept.source,
            "table": kept.table,
            "name": kept.name,
            "rulebook": terms.rulebook.id,
            "rulebook_title": terms.rulebook.title,
            "unknown": len(reviewed.played.decisions) - len(reviewed.decisions),
            "streets": (FOUR_CARDS,) if game.shootout else tuple(STREETS[stage.board] for stage in stages),
            "number": place + 1,
            "rounds": len(rounds),
            "before": rounds[place - 1].id if place else "",
            "after": rounds[place + 1].id if place + 1 < len(rounds) else "",
        }
        return msgspec.convert(data, PlayedReview)

    # --- many rounds ---

    def your_play(
        self, history: PersonalHistory, wanted: str, since: str, last: int, texts: Texts
    ) -> YourPlay:
        """Return a person's totals in one game: those of the last `last` rounds (0 for all) that were
        played at `since` or later."""
        with without_collections():
            return self._your_play(history, wanted, since, last, texts)

    def _your_play(
        self, history: PersonalHistory, wanted: str, since: str, last: int, texts: Texts
    ) -> YourPlay:
        rounds = history.rounds
        games = self._games(rounds, texts)
        times = [kept.stored.at for kept in rounds if kept.stored.at]
        reply = YourPlay(
            games=tuple(
                PlayedGame(
                    game=one.name,
                    rulebook=one.terms.rulebook.id,
                    title=one.terms.rulebook.title,
                    rounds=len(one.rounds),
                )
                for one in games
            ),
            rounds=len(rounds),
            since=min(times, default=""),
            last=rounds[-1].id if rounds else "",
        )
        if not games:
            return reply
        game = next((one for one in games if one.name == wanted), games[0])
        chosen = [one for one in game.rounds if not since or one[0].stored.at >= since][-last:]
        reply = msgspec.structs.replace(reply, game=game.name)
        if game.terms.rulebook.game == "shootout" and not is_counted(game.terms):
            return msgspec.structs.replace(reply, problem=NOT_COUNTED)
        try:
            values = game_values(game.terms)
        except (UnsolvableError, ValueError) as error:
            return msgspec.structs.replace(reply, problem=f"this game cannot be solved: {error}")
        reviews = self._reviews(history, chosen)
        known = [review for review in reviews if review is not None]
        totals = summary_data(summarize(known, values.variance))
        _name_choices(totals, game.terms)
        rating = _rating(
            review
            for (kept, _), review in zip(chosen, reviews, strict=True)
            if review is not None and kept.source == "table"
        )
        if len(rounds) > MOST_CACHED:
            history.reviews = {}
            known.clear()
            _release(reviews)
        worth = None if values.value is None else number(values.value)
        return msgspec.structs.replace(
            reply,
            totals=msgspec.convert(totals, PlayTotals),
            rating=rating,
            reviewed=totals["rounds"],
            skipped=len(chosen) - totals["rounds"],
            games=tuple(
                msgspec.structs.replace(one, value=msgspec.convert(worth, ExactNumber | None))
                if one.game == game.name
                else one
                for one in reply.games
            ),
        )

    def _games(self, rounds: Iterable[KeptRound], texts: Texts) -> list[_Game]:
        """Return the games of some rounds, most played first. A round without terms is left out."""
        games: dict[Hashable, _Game] = {}
        names: dict[str, int] = {}
        keys: dict[int, Hashable] = {}
        for kept in rounds:
            try:
                terms = self.terms(kept.stored, texts)
            except InputError:
                continue
            if id(terms) not in keys:
                keys[id(terms)] = game_key(terms)
            key = keys[id(terms)]
            if key not in games:
                book = terms.rulebook.id
                names[book] = names.get(book, 0) + 1
                name = book if names[book] == 1 else f"{book}-{names[book]}"
                games[key] = _Game(name, terms, [])
            games[key].rounds.append((kept, terms))
        return sorted(games.values(), key=lambda one: -len(one.rounds))

    def _reviews(
        self, history: PersonalHistory, rounds: Iterable[tuple[KeptRound, Terms]]
    ) -> list[ReviewedRound | None]:
        """Return the review of each round; None for a round that cannot be reviewed."""
        reviews: list[ReviewedRound | None] = []
        values: dict[int, GameValues] = {}
        pause, large = Pauses(), len(history.rounds) > MOST_CACHED
        # Another request may replace the dictionary while this one works.
        known = history.reviews
        for kept, terms in rounds:
            if kept.id in known:
                review = known[kept.id]
            else:
                try:
                    if id(terms) not in values:
                        values[id(terms)] = game_values(terms)
                    review = review_round(values[id(terms)], read_stored(kept.stored))
                    review = _for_totals(review) if large else review
                except (InputError, ValueError, KeyError):
                    review = None
                known[kept.id] = review
                pause()
            reviews.append(review)
        return reviews


def _for_totals(review: ReviewedRound) -> ReviewedRound:
    """Return a review with only what totals need. It takes a third less memory."""
    split = review.split
    if split is not None:
        sums: tuple[tuple[Cause, Fraction], ...] = (
            ("house edge", split.house_edge),
            ("choice", split.choices),
            ("limits", split.limits),
        )
        split = replace(split, steps=tuple(SplitStep(cause, amount) for cause, amount in sums if amount))
    return replace(review, played=replace(review.played, decisions=(), outcome=None), split=split)


def _release(reviews: list[ReviewedRound | None]) -> None:
    """Free reviews little by little. Freeing all of them at once would pause every thread."""
    pause = Pauses()
    while reviews:
        reviews.pop()
        pause()


def _rating(reviews: Iterable[ReviewedRound]) -> SkillReply:
    """Return the rating over the dealt decisions of some rounds."""
    answers = [answer_of(each.valued, "dealt") for review in reviews for each in review.decisions]
    rating = rate("whole game", [answer for answer in answers if answer is not None])
    estimate = rating.estimate
    if estimate is None:
        return SkillReply(decisions=rating.decisions, words=rating.words)
    return SkillReply(
        decisions=rating.decisions,
        words=rating.words,
        skill=estimate.skill,
        low=estimate.low,
        high=None if estimate.high == float("inf") else estimate.high,
    )


def _name_choices(totals: dict[str, Any], terms: Terms) -> None:
    """Add the titles of choices and wagers to totals."""
    for cost in (*totals["leaks"], *totals["kinds"]):
        if cost["does"]:
            cost |= {"does_title": choice_words(cost["does"]), "should_title": choice_words(cost["should"])}
    titles = {wager.name: wager.title for wager in terms.wagers}
    for bet in totals["side_bets"]:
        bet["title"] = titles.get(bet["wager"], bet["wager"])


def _times(choice: str) -> int:
    """Return the number of antes that a choice plays; 0 for others."""
    number_of = choice.removesuffix("x")
    return int(number_of) if number_of.isdecimal() else 0


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def _name_outcome(outcome: dict[str, Any], table: Table, reviewed: ReviewedRound) -> None:
    """Add the titles of the wagers, and the hands in words."""
    titles = {wager.name: wager.title for wager in table.terms.wagers}
    for wager in outcome["wagers"]:
        wager["title"] = titles.get(wager["wager"], wager["wager"])
    board, dealer = outcome["board"], outcome["dealer"]
    hidden = str(UNSEEN)
    if len(board) == table.board_size and hidden not in board:
        decisions = reviewed.played.decisions
        own = list(map(str, decisions[0].hole)) if decisions else []
        if len(own) == 2 and hidden not in own:
            outcome["reads"] = hand_words(table, own, board)
        if len(dealer) == 2 and hidden not in dealer:
            outcome["dealer_reads"] = hand_words(table, dealer, board)
