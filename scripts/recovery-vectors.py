#!/usr/bin/env python3
"""Test vectors of data sealed with a passphrase, made without any code of the packages.

  python3 scripts/recovery-vectors.py            writes docs/recovery-vectors.json
  python3 scripts/recovery-vectors.py --check    fails if the file is not what this program makes
  python3 scripts/recovery-vectors.py --open     opens a JSON list of {"passphrase", "sealed"} on its standard input

Needs the `cryptography` package, and argon2id from it (44 or newer) or from `argon2` (Debian: python3-cryptography and
python3-argon2).
"""
import base64
import json
import sys
import unicodedata
from hashlib import sha256
from pathlib import Path

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

DOCS = Path(__file__).resolve().parent.parent / "docs"
TARGET = DOCS / "recovery-vectors.json"


def argon2id(passphrase, salt, memory, passes, lanes):
    try:
        from cryptography.hazmat.primitives.kdf.argon2 import Argon2id
    except ImportError:
        from argon2.low_level import Type, hash_secret_raw

        return hash_secret_raw(passphrase, salt, passes, memory, lanes, 32, Type.ID)
    return Argon2id(salt=salt, length=32, iterations=passes, lanes=lanes, memory_cost=memory).derive(passphrase)


def b64(data):
    return base64.b64encode(data).decode()


def key_of(passphrase, salt, memory, passes, lanes):
    return argon2id(unicodedata.normalize("NFKC", passphrase).encode(), salt, memory, passes, lanes)


def seal(plain, passphrase, salt, nonce, memory, passes, lanes):
    header = b"SPKB\x01" + memory.to_bytes(4, "big") + bytes([passes, lanes]) + salt + nonce
    key = key_of(passphrase, salt, memory, passes, lanes)
    return header + AESGCM(key).encrypt(nonce, plain, header)


def open_sealed(sealed, passphrase):
    assert sealed[:5] == b"SPKB\x01"
    memory, passes, lanes = int.from_bytes(sealed[5:9], "big"), sealed[9], sealed[10]
    salt, nonce = sealed[11:27], sealed[27:39]
    return AESGCM(key_of(passphrase, salt, memory, passes, lanes)).decrypt(nonce, sealed[39:], sealed[:39])


def case(name, plain, passphrase, memory, passes, lanes):
    salt, nonce = sha256(f"salt of {name}".encode()).digest()[:16], sha256(f"nonce of {name}".encode()).digest()[:12]
    return {
        "name": name,
        "passphrase": passphrase,
        "cost": {"memoryKiB": memory, "passes": passes, "lanes": lanes},
        "salt": b64(salt),
        "nonce": b64(nonce),
        "key": b64(key_of(passphrase, salt, memory, passes, lanes)),
        "plain": b64(plain),
        "sealed": b64(seal(plain, passphrase, salt, nonce, memory, passes, lanes)),
    }


def vectors():
    chains = json.loads((DOCS / "key-chain-vectors.json").read_text())["sealedKeyChains"]
    chain = {c["name"]: base64.b64decode(c["keyChain"]) for c in chains}
    return {
        "keyChains": [
            case("one key at the standard cost", chain["one key"], "correct horse battery staple", 65536, 3, 4),
            case("three keys", chain["three keys, newest first"], "zwölf Boxkämpfer", 1024, 1, 1),
            case("the same passphrase in other code points", chain["one key"], "zwo\u0308lf Boxka\u0308mpfer", 1024, 2, 2),
        ],
        "others": [
            case("nothing", b"", "p", 8, 1, 1),
            case("any bytes", bytes(range(255, -1, -1)), "🔑 ℌ ﬁ", 256, 1, 4),
        ],
    }


def main():
    if "--open" in sys.argv[1:]:
        cases = json.load(sys.stdin)
        print(json.dumps([b64(open_sealed(base64.b64decode(c["sealed"]), c["passphrase"])) for c in cases]))
        return
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
