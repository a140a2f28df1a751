#!/usr/bin/env python3
"""Test vectors of login words, made without any code of the packages.

  python3 scripts/login-words-vectors.py            writes docs/login-words-vectors.json
  python3 scripts/login-words-vectors.py --check    fails if the file is not what this program makes

Needs nothing but Python. Keys here are hashes of names, for nothing is agreed with them.
"""
import base64
import json
import sys
from hashlib import sha256, sha512
from pathlib import Path

TARGET = Path(__file__).resolve().parent.parent / "docs" / "login-words-vectors.json"
ROUNDS = 5200
CONSONANTS = "bdfghjklmnprstvz"
VOWELS = "aiou"


def key(name):
    return sha256(name.encode()).digest()


def word(number):
    out = ""
    for alphabet in (CONSONANTS, VOWELS, CONSONANTS, VOWELS, CONSONANTS):
        number, index = divmod(number, len(alphabet))
        out = alphabet[index] + out
    return out


def words(device, account):
    state = b"sealpost login words" + bytes([1]) + device + account
    for _ in range(ROUNDS):
        state = sha512(state + device + account).digest()
    return "-".join(word(int.from_bytes(state[at:at + 2], "big")) for at in range(0, 10, 2))


def vector(name, device, account):
    return {
        "name": name,
        "devicePublicKey": base64.b64encode(device).decode(),
        "accountPublicKey": base64.b64encode(account).decode(),
        "words": words(device, account),
    }


def vectors():
    device, account = key("new device"), key("account")
    changed = bytes([device[0] ^ 1]) + device[1:]
    return [
        vector("two keys", device, account),
        vector("the two keys exchanged", account, device),
        vector("another device", key("another device"), account),
        vector("another account", device, key("another account")),
        vector("one bit of the device's key", changed, account),
        vector("all zeros", bytes(32), bytes(32)),
        vector("all ones", b"\xff" * 32, b"\xff" * 32),
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
