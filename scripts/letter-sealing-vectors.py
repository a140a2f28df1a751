#!/usr/bin/env python3
"""Test vectors of Letter Sealing, made without any code of the packages.

  python3 scripts/letter-sealing-vectors.py            writes docs/letter-sealing-vectors.json
  python3 scripts/letter-sealing-vectors.py --check    fails if the file is not what this program makes
  python3 scripts/letter-sealing-vectors.py --open     opens the messages of a JSON list on its standard input

Needs the `cryptography` package (Debian: python3-cryptography). All inputs come from hashes of names, so every run
gives the same file.
"""
import base64
import hmac
import json
import sys
from hashlib import sha256
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.padding import PKCS7
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

TARGET = Path(__file__).resolve().parent.parent / "docs" / "letter-sealing-vectors.json"


def b64(data):
    return base64.b64encode(data).decode()


def unb64(text):
    return base64.b64decode(text, validate=True)


def drawn(name, size=32):
    return sha256(name.encode()).digest()[:size]


def public_key(private):
    key = X25519PrivateKey.from_private_bytes(private).public_key()
    return key.public_bytes(Encoding.Raw, PublicFormat.Raw)


def agree(private, public):
    return X25519PrivateKey.from_private_bytes(private).exchange(X25519PublicKey.from_public_bytes(public))


def be32(number):
    return number.to_bytes(4, "big")


def fold(digest):
    return bytes(a ^ b for a, b in zip(digest[:16], digest[16:]))


def encrypt(key, mode, data):
    encryptor = Cipher(algorithms.AES(key), mode).encryptor()
    return encryptor.update(data) + encryptor.finalize()


def encrypt_padded(key, iv, data):
    padder = PKCS7(128).padder()
    return encrypt(key, modes.CBC(iv), padder.update(data) + padder.finalize())


def decrypt_padded(key, iv, data):
    decryptor = Cipher(algorithms.AES(key), modes.CBC(iv)).decryptor()
    unpadder = PKCS7(128).unpadder()
    return unpadder.update(decryptor.update(data) + decryptor.finalize()) + unpadder.finalize()


# Messages. A case is a dict of: sharedSecret, to, from, contentType, senderKeyId, receiverKeyId.


def additional_data(case):
    ids = (case["senderKeyId"], case["receiverKeyId"], 2, case["contentType"])
    return (case["to"] + case["from"]).encode("ascii") + b"".join(map(be32, ids))


def chunks(case, *parts):
    return [b64(part) for part in (*parts, be32(case["senderKeyId"]), be32(case["receiverKeyId"]))]


def seal_1(case, salt, plain):
    secret = unb64(case["sharedSecret"])
    key = sha256(secret + salt + b"Key").digest()
    cipher = encrypt_padded(key, fold(sha256(secret + salt + b"IV").digest()), plain)
    return chunks(case, salt, cipher, mac_1(key, cipher))


def mac_1(key, cipher):
    return encrypt(key, modes.ECB(), fold(sha256(cipher).digest()))


def seal_2(case, salt, nonce, plain):
    key = sha256(unb64(case["sharedSecret"]) + salt + b"Key").digest()
    return chunks(case, salt, AESGCM(key).encrypt(nonce, plain, additional_data(case)), nonce)


def open_message(case):
    salt, cipher, third, sender, receiver = map(unb64, case["chunks"])
    assert sender == be32(case["senderKeyId"]) and receiver == be32(case["receiverKeyId"])
    secret = unb64(case["sharedSecret"])
    key = sha256(secret + salt + b"Key").digest()
    if case["version"] == 2:
        return AESGCM(key).decrypt(third, cipher, additional_data(case))
    assert mac_1(key, cipher) == third
    return decrypt_padded(key, fold(sha256(secret + salt + b"IV").digest()), cipher)


def mid(kind, name):
    return kind + sha256(name.encode()).hexdigest()[:32]


KEY_MATERIAL = b64(drawn("key material"))
PAYLOADS = [
    ("a text", 0, {"text": "Hello, Bob"}),
    ("a text with all kinds of characters", 0, {"text": "Zoë 漢字 👩‍👩‍👧 \"quoted\" \\ / \n\t\u0000 \u2028"}),
    ("an empty text", 0, {"text": ""}),
    ("a text of 10000 characters", 0, {"text": "0123456789" * 1000}),
    ("a text with pictures in it", 0, {
        "text": "(hi) there",
        "REPLACE": {"sticon": {"resources": [
            {"S": 0, "E": 4, "productId": "p1", "sticonId": "001", "version": 1, "resourceType": "STATIC"}]}}}),
    ("an image", 1, {"keyMaterial": KEY_MATERIAL}),
    ("a video with its name", 2, {"keyMaterial": KEY_MATERIAL, "fileName": "walk.mp4"}),
    ("a voice message", 3, {"keyMaterial": KEY_MATERIAL}),
    ("a file", 14, {"keyMaterial": KEY_MATERIAL, "fileName": "Bericht für März.pdf"}),
    ("a location", 15, {"location": {
        "title": "Harbour", "address": "1 Quay", "latitude": 53.5438, "longitude": 9.9663}}),
]


def json_bytes(payload):
    return json.dumps(payload, ensure_ascii=False, separators=(",", ":")).encode()


def base_case(chat):
    """Returns what Alice needs to seal for a chat: with Bob, with a group, with a room, or with herself."""
    alice = drawn("alice's key")
    other, receiver_key_id, to = {
        "one-to-one": (drawn("bob's key"), 4711, mid("u", "bob")),
        "group": (drawn("the group's key"), 3, mid("c", "group")),
        "room": (drawn("the room's key"), 1, mid("r", "room")),
        "self": (alice, 2147483647, mid("u", "alice")),
    }[chat]
    return {
        "chat": chat,
        "senderPrivateKey": b64(alice),
        "senderPublicKey": b64(public_key(alice)),
        "receiverPrivateKey": b64(other),
        "receiverPublicKey": b64(public_key(other)),
        "sharedSecret": b64(agree(alice, public_key(other))),
        "to": to,
        "from": mid("u", "alice"),
        "senderKeyId": 2147483647,
        "receiverKeyId": receiver_key_id,
    }


def sealed(version, chat, name, content_type, plain, nonce=None):
    case = {"name": f"version {version}, {chat}: {name}", "version": version, **base_case(chat),
            "contentType": content_type}
    salt = drawn(f"salt of {case['name']}", 16 if version == 2 else 8)
    case["salt"] = b64(salt)
    if version == 2:
        nonce = nonce or drawn(f"nonce of {case['name']}", 12)
        case["nonce"] = b64(nonce)
        case["chunks"] = seal_2(case, salt, nonce, plain)
    else:
        case["chunks"] = seal_1(case, salt, plain)
    return case


def messages():
    made = []
    for version in (2, 1):
        for name, content_type, payload in PAYLOADS:
            plain = json_bytes(payload)
            case = sealed(version, "one-to-one", name, content_type, plain)
            made.append({**case, "payload": payload, "plaintext": b64(plain)})
        for chat in ("group", "room", "self"):
            plain = json_bytes({"text": f"to a {chat}"})
            case = sealed(version, chat, "a text", 0, plain)
            made.append({**case, "payload": {"text": f"to a {chat}"}, "plaintext": b64(plain)})
    # Some clients count their nonces: the first eight bytes are a counter, the last four are random.
    counted = (7).to_bytes(8, "big") + drawn("rest of a counted nonce", 4)
    plain = json_bytes({"text": "counted"})
    case = sealed(2, "one-to-one", "a counted nonce", 0, plain, counted)
    made.append({**case, "payload": {"text": "counted"}, "plaintext": b64(plain)})
    return made


def flipped(text, at=0, bit=1):
    data = bytearray(unb64(text))
    data[at] ^= bit
    return b64(bytes(data))


def refused():
    two = sealed(2, "one-to-one", "refused", 0, json_bytes({"text": "no"}))
    one = sealed(1, "one-to-one", "refused", 0, json_bytes({"text": "no"}))
    made = []

    def case(name, reason, base, **changes):
        made.append({**base, "name": name, "reason": reason, **changes})

    def with_chunk(base, index, chunk):
        return [chunk if i == index else c for i, c in enumerate(base["chunks"])]

    for base in (two, one):
        v = f"version {base['version']}: "
        for index, part in enumerate(["salt", "ciphertext", "nonce" if base is two else "MAC"]):
            case(f"{v}one bit of the {part} is another", "tampered", base,
                 chunks=with_chunk(base, index, flipped(base["chunks"][index])))
        case(f"{v}the last bit of the ciphertext is another", "tampered", base,
             chunks=with_chunk(base, 1, flipped(base["chunks"][1], -1, 128)))
        case(f"{v}another secret", "tampered", base, sharedSecret=b64(drawn("another secret")))
        case(f"{v}the sender's key id is another", "other-keys", base,
             chunks=with_chunk(base, 3, b64(be32(5))))
        case(f"{v}the receiver's key id is another", "other-keys", base,
             chunks=with_chunk(base, 4, b64(be32(5))))
        case(f"{v}four chunks", "malformed", base, chunks=base["chunks"][:4])
        case(f"{v}six chunks", "malformed", base, chunks=base["chunks"] + ["AAAA"])
        case(f"{v}no base64", "malformed", base, chunks=with_chunk(base, 1, "not base64!"))
        case(f"{v}a key id of three bytes", "malformed", base, chunks=with_chunk(base, 3, "AAAA"))
        case(f"{v}a salt that is too short", "malformed", base, chunks=with_chunk(base, 0, "AAAA"))
        case(f"{v}no ciphertext", "malformed", base, chunks=with_chunk(base, 1, ""))
        case(f"{v}marked as the other version", "version", base, version=3 - base["version"])
        case(f"{v}marked as a version that does not exist", "version", base, version=3)
    case("version 2: sender and receiver changed places", "tampered", two, **{"to": two["from"], "from": two["to"]})
    case("version 2: another chat", "tampered", two, to=mid("c", "another"))
    case("version 2: passed off as a location", "tampered", two, contentType=15)
    case("version 2: the key ids changed places", "tampered", two,
         senderKeyId=two["receiverKeyId"], receiverKeyId=two["senderKeyId"],
         chunks=[*two["chunks"][:3], two["chunks"][4], two["chunks"][3]])
    spare = two["chunks"][0][:21] + chr(ord(two["chunks"][0][21]) + 1) + "=="
    case("version 2: the same salt in another spelling of base64", "malformed", two, chunks=with_chunk(two, 0, spare))
    for name, content_type, plain in [
        ("no JSON", 0, b"hello"),
        ("no UTF-8", 0, b'{"text":"\xff"}'),
        ("a list", 0, b'["text"]'),
        ("a text that is a number", 0, b'{"text":1}'),
        ("a text under the type of an image", 1, b'{"text":"x"}'),
        ("key material of 31 bytes", 1, json_bytes({"keyMaterial": b64(bytes(31))})),
        ("a file without a name", 14, json_bytes({"keyMaterial": KEY_MATERIAL})),
        ("a location without a place", 15, b'{"location":{"title":"here"}}'),
        ("nothing", 0, b""),
    ]:
        base = sealed(2, "one-to-one", f"authentic, but {name}", content_type, plain)
        case(base["name"], "payload", base)
    return made


# Group keys.


def wrap(group_private, creator_private, member_public):
    secret = agree(creator_private, member_public)
    iv = fold(sha256(secret + b"IV").digest())
    return encrypt_padded(sha256(secret + b"Key").digest(), iv, group_private)


def group_keys():
    group, creator = drawn("the group's key"), drawn("alice's key")
    members = {"the creator itself": creator, "bob": drawn("bob's key"), "carol": drawn("carol's key")}
    return {
        "groupPrivateKey": b64(group),
        "groupPublicKey": b64(public_key(group)),
        "creatorPrivateKey": b64(creator),
        "creatorPublicKey": b64(public_key(creator)),
        "wraps": [
            {"member": name, "memberPrivateKey": b64(private), "memberPublicKey": b64(public_key(private)),
             "encryptedSharedKey": b64(wrap(group, creator, public_key(private)))}
            for name, private in members.items()
        ],
    }


# Media.

PIECE = 131072


def content(seed, size):
    """Returns `size` bytes: the SHA-256 hashes of the seed and a 32-bit counter, one after the other."""
    blocks = (sha256(seed.encode() + be32(n)).digest() for n in range(-(-size // 32)))
    return b"".join(blocks)[:size]


def media_keys(key_material):
    okm = HKDF(algorithm=SHA256(), length=76, salt=None, info=b"FileEncryption").derive(key_material)
    return okm[:32], okm[32:64], okm[64:]


def ctr(key_material, data):
    key, _, nonce = media_keys(key_material)
    return encrypt(key, modes.CTR(nonce + bytes(4)), data)


def mac(key_material, data):
    return hmac.new(media_keys(key_material)[1], data, "sha256").digest()


def seal_media(key_material, data):
    cipher = ctr(key_material, data)
    return cipher + mac(key_material, cipher)


def piece_hashes(cipher):
    return b"".join(sha256(cipher[at : at + PIECE]).digest() for at in range(0, len(cipher), PIECE))


def seal_video(key_material, data):
    cipher = ctr(key_material, data)
    hashes = piece_hashes(cipher)
    return cipher + mac(key_material, hashes), hashes


def media_case(kind, name, size):
    key_material = drawn(f"key material of {name}")
    key, mac_key, nonce = media_keys(key_material)
    case = {
        "name": f"{kind}: {name}",
        "kind": kind,
        "keyMaterial": b64(key_material),
        "encryptionKey": b64(key),
        "macKey": b64(mac_key),
        "nonce": b64(nonce),
        "plain": {"seed": name, "size": size},
    }
    data = content(name, size)
    blob = seal_media(key_material, data)
    if kind == "video":
        blob, hashes = seal_video(key_material, data)
        case["hashes"] = b64(hashes)
    if size <= 64:
        case["blob"] = b64(blob)
    case["blobSha256"] = b64(sha256(blob).digest())
    case["mac"] = b64(blob[-32:])
    if kind != "file":
        # A preview has the key material of its main object and is sealed like any picture.
        preview = content(f"{name}, preview", 1000)
        case["preview"] = {
            "plain": {"seed": f"{name}, preview", "size": 1000},
            "blobSha256": b64(sha256(seal_media(key_material, preview)).digest()),
        }
    return case


SIZES = [0, 1, 15, 16, 17, 64, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE, 300000]


def media():
    return [media_case(kind, f"{size} bytes", size) for kind in ("image", "video", "file") for size in SIZES]


def refused_media():
    key_material, data = drawn("refused media"), content("refused media", 40)
    blob = seal_media(key_material, data)
    video, _ = seal_video(key_material, data)
    made = []

    def case(name, reason, sealed, kind="other", key=key_material):
        made.append({"name": name, "reason": reason, "kind": kind, "keyMaterial": b64(key), "blob": b64(sealed)})

    case("one bit of the content is another", "tampered", unb64(flipped(b64(blob))))
    case("one bit of the MAC is another", "tampered", unb64(flipped(b64(blob), -1)))
    case("one byte is missing at the end", "tampered", blob[:-1])
    case("one byte more", "tampered", blob + b"\x00")
    case("shorter than a MAC", "malformed", blob[:31])
    case("nothing at all", "malformed", b"")
    case("another key material", "tampered", blob, key=drawn("another key material"))
    case("a video that is opened as an image", "tampered", video)
    case("an image that is opened as a video", "tampered", blob, kind="video")
    return made


def vectors():
    return {
        "messages": messages(),
        "refused": refused(),
        "groupKeys": group_keys(),
        "media": media(),
        "refusedMedia": refused_media(),
    }


def main():
    if "--open" in sys.argv[1:]:
        cases = json.load(sys.stdin)
        print(json.dumps([b64(open_message(case)) for case in cases]))
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
