"""How the figures were made, in words: what a reader must know before signing."""

from __future__ import annotations

EXACT = """
Every figure is a fraction of whole numbers, counted and not simulated, from the pay tables by which wagers
are settled. It is rounded once, for print; the JSON form of this sheet holds the fractions.
"""

NOT_IN_IT = """
Not in the figures: limits on what a hand may win, half cents dropped in payment, tips, coupons, rounds
declared void, and anything a player learns from other hands.
"""

ULTIMATE = """
The main game is counted over all {deals:,} deals of two hole cards, flop, turn with river, and dealer's
hand. At each betting point the player, who sees two cards and the board and nothing else, makes the
choice of the highest value; between equals, the check or the fold.

The house edge has three measures that are often mixed up: of the ante, of all wagers made before the deal,
and of every unit wagered, plays included (element of risk). Ante, blind and play are also priced one by
one, each per unit of its own stake in the rounds in which it is made; their variance is in antes.

What a wrong choice costs before the flop is the distance between checking and the best play, with best
choices afterwards.

A side bet on the player's hand is counted over all sets of the cards it reads; one on the highest hand at
the table over all deals of so many hands, the dealer's included and none folded away.
"""

METERED = """
A progressive returns a fixed part and, for each dollar a meter shows, its chance times its share; a share
is priced as the only one taken from its meter in the round. The return is printed with every meter at its
seed and without envy. A break-even meter is what one meter must show for the whole wager to come back on
average, the other meters at seed. Envy is for one other hand, whatever it wagers.
"""

SHOOTOUT = """
The game is counted over all {deals:,} deals of the player's four cards, the dealer's four and the board,
against the rulebook's house way. The player keeps the two cards, or splits where the rules allow it, so
that the expected win is highest; between equals, two cards are kept.

The house edge is per primary wager; the element of risk is per unit wagered, the second wager of a split
included. The bonus is per wager on each hand played under that play, envy per hand another player plays.

How often the game wins and its variance are not counted: the two hands of a split share the board and the
dealer's hand.
"""


def told(deals: int, *parts: str) -> tuple[str, ...]:
    """Parts of the method as paragraphs, between what holds for all figures and what is in none."""
    text = "\n".join((EXACT, *parts, NOT_IN_IT)).format(deals=deals)
    return tuple(" ".join(paragraph.split()) for paragraph in text.split("\n\n") if paragraph.strip())
