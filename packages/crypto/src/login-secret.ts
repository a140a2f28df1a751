// The secret of a sealed credential login: the new device's public key under the PIN that its user reads out.
import { decryptBlocks, decryptUnpadded, encryptBlock } from './aes.ts';
import { type Bytes, concat, fromBase64, randomBytes, readUint32, toBase64 } from './bytes.ts';
import { sha256 } from './web-crypto.ts';
import { KEY_LENGTH } from './x25519.ts';

const HALF = KEY_LENGTH / 2;
const PIN_DIGITS = 6;
const PINS = 10 ** PIN_DIGITS;
/** The largest multiple of PINS. Numbers drawn above it would make small PINs likelier. */
const FAIR_LIMIT = Math.floor(2 ** 32 / PINS) * PINS;

/** Returns six decimal digits. Every combination is equally likely. */
export function createPin(): string {
  for (;;) {
    const drawn = readUint32(randomBytes(4));
    if (drawn < FAIR_LIMIT) return String(drawn % PINS).padStart(PIN_DIGITS, '0');
  }
}

/** Returns base64 of the two halves of the public key, each encrypted on its own. */
export async function createLoginSecret(pin: string, publicKey: Bytes): Promise<string> {
  const key = await keyOf(pin);
  const halves = [publicKey.slice(0, HALF), publicKey.slice(HALF)];
  return toBase64(concat(...(await Promise.all(halves.map((half) => encryptBlock(key, half))))));
}

/**
 * Returns the public key inside a secret. Clients of the second kind chain the halves, so that form is tried when the
 * first gives no public key. A wrong PIN is noticed here one time in four. Otherwise a wrong key comes out, and the new
 * device cannot open what is sealed for it.
 */
export async function openLoginSecret(pin: string, secret: string): Promise<Bytes> {
  const cipher = fromBase64(secret);
  if (cipher.length !== KEY_LENGTH)
    throw new RangeError(`a login secret has ${KEY_LENGTH} bytes, not ${cipher.length}`);
  const key = await keyOf(pin);
  for (const decrypt of [decryptBlocks, decryptUnpadded]) {
    const publicKey = await decrypt(key, cipher);
    if (mayBePublicKey(publicKey)) return publicKey;
  }
  throw new Error('the PIN is not the one that the new device shows');
}

const keyOf = (pin: string): Promise<Bytes> => sha256(new TextEncoder().encode(pin));

/** Coordinates are below 2^255 - 19, so the top bit of a public key is never set. */
const mayBePublicKey = (bytes: Bytes): boolean => (bytes[KEY_LENGTH - 1] ?? 0xff) < 0x80;
