"""Shoes that deal cards: shuffled and sealed (with proofs), scripted, or typed by a person."""

from houseway.shoe.entropy import Entropy, SeededEntropy, SystemEntropy
from houseway.shoe.keystream import EntropyError, self_test
from houseway.shoe.proofs import Commitment, Commitments, Deal, round_proofs, shoe_proofs
from houseway.shoe.salts import players_cut
from houseway.shoe.scripted_shoe import ScriptedShoe
from houseway.shoe.seal import shoe_id
from houseway.shoe.sealed_shoe import Act, SealedShoe
from houseway.shoe.shoe import Shoe, ShoeError
from houseway.shoe.shuffle import order
from houseway.shoe.typed_shoe import TypedShoe

Kernel, Seeded = SystemEntropy, SeededEntropy
"""Deprecated: the old names of SystemEntropy and SeededEntropy."""

__all__ = [
    "Act",
    "Commitment",
    "Commitments",
    "Deal",
    "Entropy",
    "EntropyError",
    "Kernel",
    "ScriptedShoe",
    "SealedShoe",
    "Seeded",
    "SeededEntropy",
    "Shoe",
    "ShoeError",
    "SystemEntropy",
    "TypedShoe",
    "order",
    "players_cut",
    "round_proofs",
    "self_test",
    "shoe_id",
    "shoe_proofs",
]
