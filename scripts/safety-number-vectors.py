#!/usr/bin/env python3
"""Test vectors of safety numbers, made without any code of the packages.

  python3 scripts/safety-number-vectors.py            writes docs/safety-number-vectors.json
  python3 scripts/safety-number-vectors.py --check    fails if the file is not what this program makes

Needs nothing but Python. Keys here are hashes of names, for nothing is agreed with them.
"""
import base64
import json
import sys
from hashlib import sha256, sha512
from pathlib import Path

TARGET = Path(__file__).resolve().parent.parent / "docs" / "safety-number-vectors.json"
ROUNDS = 5200


def b64(data):
    return base64.b64encode(data).decode()


def holder(name, keys):
    return {
        "mid": "u" + sha256(name.encode()).hexdigest()[:32],
        "publicKeys": [b64(sha256(f"{name}, key {n}".encode()).digest()) for n in keys],
    }


def fingerprint(user):
    keys = sorted({base64.b64decode(key) for key in user["publicKeys"]})
    mixed = b"".join(keys)
    state = bytes([1, len(keys)]) + mixed + user["mid"].encode("ascii")
    for _ in range(ROUNDS):
        state = sha512(state + mixed).digest()
    return state


def groups(state):
    return [f"{int.from_bytes(state[at:at + 5], 'big') % 100000:05}" for at in range(0, 30, 5)]


def pair(name, one, other):
    low, high = sorted([fingerprint(one), fingerprint(other)])
    return {
        "name": name,
        "one": one,
        "other": other,
        "fingerprints": [b64(fingerprint(one)), b64(fingerprint(other))],
        "digits": " ".join(groups(low) + groups(high)),
        "qr": b64(b"\x01" + low[:32] + high[:32]),
    }


def vectors():
    alice, bob = holder("alice", [1]), holder("bob", [1])
    return [
        pair("one key each", alice, bob),
        pair("the other way round", bob, alice),
        pair("several keys, in any order", holder("alice", [3, 1, 2]), holder("bob", [2, 1])),
        pair("a key named twice counts once", holder("alice", [1, 1]), bob),
        pair("a new key of one side", alice, holder("bob", [2])),
        pair("the same keys under another mid", {**alice, "mid": "u" + "0" * 32}, bob),
    ]


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
