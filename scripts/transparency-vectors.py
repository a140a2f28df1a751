#!/usr/bin/env python3
"""Test vectors of Merkle trees, proofs and signed tree heads (RFC 9162), made without any code of the packages.

  python3 scripts/transparency-vectors.py            writes docs/transparency-vectors.json
  python3 scripts/transparency-vectors.py --check    fails if the file is not what this program makes

Needs the `cryptography` package (Debian: python3-cryptography). Trees and proofs are the recursive definitions of the
RFC, hashed anew for each proof.
"""
import base64
import json
import sys
from hashlib import sha256
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

TARGET = Path(__file__).resolve().parent.parent / "docs" / "transparency-vectors.json"

# Leaves that many implementations of these trees have used in tests since RFC 6962.
WELL_KNOWN = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"]


def b64(data):
    return base64.b64encode(data).decode()


def hash_leaf(leaf):
    return sha256(b"\x00" + leaf).digest()


def hash_node(left, right):
    return sha256(b"\x01" + left + right).digest()


def split(size):
    """Returns the largest power of two that is smaller than `size`."""
    return 1 << (size - 1).bit_length() - 1


def root(leaves):
    if not leaves:
        return sha256(b"").digest()
    if len(leaves) == 1:
        return hash_leaf(leaves[0])
    k = split(len(leaves))
    return hash_node(root(leaves[:k]), root(leaves[k:]))


def path(m, leaves):
    if len(leaves) == 1:
        return []
    k = split(len(leaves))
    if m < k:
        return path(m, leaves[:k]) + [root(leaves[k:])]
    return path(m - k, leaves[k:]) + [root(leaves[:k])]


def subproof(m, leaves, complete):
    if m == len(leaves):
        return [] if complete else [root(leaves)]
    k = split(len(leaves))
    if m <= k:
        return subproof(m, leaves[:k], complete) + [root(leaves[k:])]
    return subproof(m - k, leaves[k:], False) + [root(leaves[:k])]


def tree(name, leaves, inclusions, growths, described):
    size = len(leaves)
    sizes = sorted({n for _, n in inclusions} | {n for pair in growths for n in pair} | {0, size})
    return {
        "name": name,
        **described,
        "roots": [{"size": n, "root": b64(root(leaves[:n]))} for n in sizes],
        "inclusion": [
            {"index": i, "size": n, "leafHash": b64(hash_leaf(leaves[i])), "proof": list(map(b64, path(i, leaves[:n])))}
            for i, n in inclusions
        ],
        "consistency": [
            {"oldSize": m, "newSize": n, "proof": list(map(b64, subproof(m, leaves[:n], True)))} for m, n in growths
        ],
    }


def small_tree():
    leaves = list(map(bytes.fromhex, WELL_KNOWN))
    inclusions = [(i, n) for n in range(1, 9) for i in range(n)]
    growths = [(m, n) for n in range(1, 9) for m in range(1, n + 1)]
    return tree("eight leaves, every proof", leaves, inclusions, growths, {"leaves": list(map(b64, leaves))})


def large_tree():
    leaves = [f"leaf {n}".encode() for n in range(1000)]
    inclusions = [(0, 1000), (999, 1000), (511, 512), (512, 513), (700, 777), (998, 999)]
    growths = [(1, 1000), (512, 1000), (511, 513), (777, 1000), (999, 1000), (640, 768), (1000, 1000)]
    described = {"leavesAre": "the UTF-8 of \"leaf <n>\", n from 0 to 999 in decimal"}
    return tree("1000 leaves, some proofs", leaves, inclusions, growths, described)


def tree_head(size, timestamp, root_hash):
    private = sha256(b"the log's key").digest()
    key = Ed25519PrivateKey.from_private_bytes(private)
    # TreeHeadDataV2: timestamp, tree_size, root_hash with its length, extensions with their length.
    signed = timestamp.to_bytes(8, "big") + size.to_bytes(8, "big") + b"\x20" + root_hash + b"\x00\x00"
    return {
        "privateKey": b64(private),
        "publicKey": b64(key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)),
        "size": size,
        "timestamp": timestamp,
        "root": b64(root_hash),
        "signedBytes": b64(signed),
        "signature": b64(key.sign(signed)),
    }


def vectors():
    leaves = list(map(bytes.fromhex, WELL_KNOWN))
    return {
        "trees": [small_tree(), large_tree()],
        "treeHeads": [
            tree_head(0, 0, root([])),
            tree_head(8, 1700000000000, root(leaves)),
            tree_head(2**53 - 1, 2**53 - 1, sha256(b"any").digest()),
        ],
    }


def main():
    text = json.dumps(vectors(), indent=2) + "\n"
    if "--check" in sys.argv[1:]:
        if TARGET.read_text() != text:
            sys.exit(f"{TARGET} is not what this program makes")
        print(f"{TARGET} is what this program makes")
    else:
        TARGET.write_text(text)
        print(f"wrote {TARGET}")


if __name__ == "__main__":
    main()
