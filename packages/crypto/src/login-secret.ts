// The secret of a sealed credential login. It is the public key of the new device, encrypted with the PIN that this
// device shows.
import { decryptBlocks, decryptUnpadded, encryptBlock } from './aes.ts';
import { type Bytes, concat, fromBase64, randomBytes, readUint32, toBase64 } from './bytes.ts';
import { OpenError } from './open-error.ts';
import { sha256 } from './web-crypto.ts';
import { KEY_LENGTH } from './x25519.ts';

const HALF = KEY_LENGTH / 2;
const PIN_DIGITS = 6;
const PINS = 10 ** PIN_DIGITS;
/**
 * The largest multiple of PINS below 2^32. A random number from this limit on is drawn again, because it would make
 * small PINs more likely.
 */
const FAIR_LIMIT = Math.floor(2 ** 32 / PINS) * PINS;

/** Returns six decimal digits. Every combination is equally likely. */
export function createPin(): string {
  for (;;) {
    const drawn = readUint32(randomBytes(4));
    if (drawn < FAIR_LIMIT) return String(drawn % PINS).padStart(PIN_DIGITS, '0');
  }
}

/** Returns base64 of the two halves of the public key, each encrypted separately. */
export async function createLoginSecret(pin: string, publicKey: Bytes): Promise<string> {
  const key = await keyOf(pin);
  const halves = [publicKey.slice(0, HALF), publicKey.slice(HALF)];
  return toBase64(concat(...(await Promise.all(halves.map((half) => encryptBlock(key, half))))));
}

/**
 * Returns the public key inside a secret. Some clients encrypt the two halves as one CBC chain, so that form is tried
 * if the first form gives no public key. One wrong PIN in four gives no public key in either form. Any other wrong PIN
 * gives a wrong key, and the new device cannot open what is sealed for that key.
 * @throws OpenError `tampered` if the PIN gives no public key
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
  throw new OpenError('tampered', 'the PIN is not the one that the new device shows');
}

const keyOf = (pin: string): Promise<Bytes> => sha256(new TextEncoder().encode(pin));

/** Public keys are coordinates below 2^255 - 19, so their top bit is never set. */
const mayBePublicKey = (bytes: Bytes): boolean => (bytes[KEY_LENGTH - 1] ?? 0xff) < 0x80;
