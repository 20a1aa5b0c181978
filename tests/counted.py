"""Published counts of hands by class: the reference for every count in these tests."""

from __future__ import annotations

SEVEN_OF_52 = {
    "royal flush": 4_324,
    "straight flush": 37_260,
    "four of a kind": 224_848,
    "full house": 3_473_184,
    "flush": 4_047_644,
    "straight": 6_180_020,
    "three of a kind": 6_461_620,
    "two pair": 31_433_400,
    "pair": 58_627_800,
    "high card": 23_294_460,
}
"""Seven-card hands by class, of C(52, 7) = 133,784,560; published in many places."""

FIVE_OF_52 = {
    "royal flush": 4,
    "straight flush": 36,
    "four of a kind": 624,
    "full house": 3_744,
    "flush": 5_108,
    "straight": 10_200,
    "three of a kind": 54_912,
    "two pair": 123_552,
    "pair": 1_098_240,
    "high card": 1_302_540,
}
"""Five-card hands by class, of C(52, 5) = 2,598,960."""

SEVEN_OF_312 = {
    "suited five of a kind": 14_575_392,
    "royal flush": 1_344_475_584,
    "straight flush": 11_611_512_000,
    "five of a kind": 23_329_720_440,
    "four of a kind": 544_254_879_168,
    "full house": 2_977_407_823_104,
    "flush": 2_394_114_840_864,
    "straight": 1_966_679_637_120,
    "three of a kind": 4_096_700_997_120,
    "two pair": 14_197_941_208_800,
    "pair": 20_625_558_508_800,
    "high card": 6_520_957_954_560,
}
"""Seven-card hands of six decks by class, of C(312, 7), computed by two other programs."""
