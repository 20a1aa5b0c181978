"""Where cards come from: sealed shuffles and their proofs, a scripted order, cards typed by a person."""

from houseway.shoe.cut import SALT_BYTES, players_cut
from houseway.shoe.entropy import Entropy, EntropyError, Kernel, Seeded
from houseway.shoe.port import Shoe, ShoeError
from houseway.shoe.proofs import Deal, round_proofs, shoe_proofs
from houseway.shoe.scripted import ScriptedShoe
from houseway.shoe.seal import Proof, check, shoe_id
from houseway.shoe.sealed import Act, SealedShoe
from houseway.shoe.shuffle import order
from houseway.shoe.stream import KEY_BYTES, self_test
from houseway.shoe.typed import TypedShoe

__all__ = [
    "KEY_BYTES",
    "SALT_BYTES",
    "Act",
    "Deal",
    "Entropy",
    "EntropyError",
    "Kernel",
    "Proof",
    "ScriptedShoe",
    "SealedShoe",
    "Seeded",
    "Shoe",
    "ShoeError",
    "TypedShoe",
    "check",
    "order",
    "players_cut",
    "round_proofs",
    "self_test",
    "shoe_id",
    "shoe_proofs",
]
