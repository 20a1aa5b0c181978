"""Check a proof against a root with the verifier that players use."""

from __future__ import annotations

from houseway.shoe.seal import NONCE_BYTES, Proof
from houseway.shoe.verify_round import ProofFault, root_of


def check(root: str, shoe: str, size: int, proof: Proof) -> bool:
    """True if the proof's card was committed at its position of the shoe with this root."""
    if not 0 <= proof.position < size or len(proof.nonce) != NONCE_BYTES:
        return False
    try:
        reached = root_of(proof.position, str(proof.card), proof.nonce, list(proof.path), size, shoe)
    except ProofFault:
        return False
    return reached.hex() == root
