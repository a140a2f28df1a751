#!/usr/bin/env python3
"""Test vectors of the sealed login, made without any code of the packages.

  python3 scripts/key-chain-vectors.py            writes docs/key-chain-vectors.json
  python3 scripts/key-chain-vectors.py --check    fails if the file is not what this program makes

Needs the `cryptography` package (Debian: python3-cryptography). All inputs come from hashes of names, so every run
gives the same file.
"""
import base64
import json
import sys
from hashlib import sha256
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.padding import PKCS7
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

TARGET = Path(__file__).resolve().parent.parent / "docs" / "key-chain-vectors.json"


def b64(data):
    return base64.b64encode(data).decode()


def private_key(name):
    return sha256(name.encode()).digest()


def public_key(private):
    key = X25519PrivateKey.from_private_bytes(private).public_key()
    return key.public_bytes(Encoding.Raw, PublicFormat.Raw)


def agree(private, public):
    return X25519PrivateKey.from_private_bytes(private).exchange(X25519PublicKey.from_public_bytes(public))


def aes(key, mode, data):
    encryptor = Cipher(algorithms.AES(key), mode).encryptor()
    return encryptor.update(data) + encryptor.finalize()


def fold(digest):
    return bytes(a ^ b for a, b in zip(digest[:16], digest[16:]))


def length(number):
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes(out + bytes([number]))


def zigzag(number):
    return length(number << 1 ^ number >> 63)


def entry_struct(entry):
    # The head of a field is (its id minus the id of the field before) << 4 | type. Types: i32 is 5, i64 is 6, binary is 8.
    return (
        b"\x15" + zigzag(entry["version"])
        + b"\x15" + zigzag(entry["keyId"])
        + b"\x28" + length(32) + entry["public"]
        + b"\x18" + length(32) + entry["private"]
        + b"\x16" + zigzag(entry["createdTime"])
        + b"\x00"
    )


def key_chain(entries):
    # Field 1 is a list (9) of structs (12).
    size = len(entries)
    head = bytes([size << 4 | 12]) if size < 15 else b"\xfc" + length(size)
    return b"\x19" + head + b"".join(map(entry_struct, entries)) + b"\x00"


def entries_of(name, ids):
    made = []
    for key_id in sorted(ids, reverse=True):
        private = private_key(f"{name} key {key_id}")
        made.append(
            {"version": 1, "keyId": key_id, "private": private, "public": public_key(private),
             "createdTime": 1700000000000 + key_id}
        )
    return made


def login_secret(pin):
    private = private_key(f"device of pin {pin}")
    public = public_key(private)
    key = sha256(pin.encode("ascii")).digest()
    return {
        "pin": pin,
        "privateKey": b64(private),
        "publicKey": b64(public),
        "secret": b64(aes(key, modes.ECB(), public)),
        "chainedSecret": b64(aes(key, modes.CBC(bytes(16)), public)),
    }


def sealed_chain(name, ids):
    device, sealer = private_key(f"{name} device"), private_key(f"{name} sealer")
    shared = agree(sealer, public_key(device))
    key = sha256(shared + b"Key").digest()
    iv = fold(sha256(shared + b"IV").digest())
    entries = entries_of(name, ids)
    plain = key_chain(entries)
    padder = PKCS7(128).padder()
    encrypted = aes(key, modes.CBC(iv), padder.update(plain) + padder.finalize())
    digest = fold(sha256(encrypted).digest())
    return {
        "name": name,
        "devicePrivateKey": b64(device),
        "devicePublicKey": b64(public_key(device)),
        "sealerPrivateKey": b64(sealer),
        "sealerPublicKey": b64(public_key(sealer)),
        "sharedSecret": b64(shared),
        "entries": [
            {"version": e["version"], "keyId": e["keyId"], "publicKey": b64(e["public"]),
             "privateKey": b64(e["private"]), "createdTime": e["createdTime"]}
            for e in entries
        ],
        "keyChain": b64(plain),
        "encryptedKeyChain": b64(encrypted),
        "keyChainHash": b64(digest),
        "deviceSecret": b64(aes(key, modes.ECB(), digest)),
    }


def vectors():
    return {
        "loginSecrets": [login_secret(pin) for pin in ("000000", "123456", "999999", "007042")],
        "sealedKeyChains": [
            sealed_chain("one key", [1]),
            sealed_chain("three keys, newest first", [17, 4711, 2147483647]),
            sealed_chain("fifteen keys, the long form of a list", range(100, 115)),
            sealed_chain("no keys", []),
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
