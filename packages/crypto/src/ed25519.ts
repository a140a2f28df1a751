// Signatures of Ed25519 (RFC 8032), checked by WebCrypto. Engines without Ed25519 load a library at the first check. The
// two differ in odd keys and signatures, which no honest signer makes. So these are refused before either is asked.
import type { Bytes } from './bytes.ts';

const POINT = 32;

/** The order of the base point, L of RFC 8032, lowest byte first as in signatures. */
const ORDER = fromHex('edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010');
/** The prime of the field, 2^255 - 19, lowest byte first. */
const PRIME = fromHex('edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f');

/** The y of all points of small order: 1, -1, 0, and the two of order 8. Each stands for both signs of x. */
const SMALL_ORDER: ReadonlySet<string> = new Set([
  '0100000000000000000000000000000000000000000000000000000000000000',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  '0000000000000000000000000000000000000000000000000000000000000000',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
]);

/**
 * Returns whether the signature is right. Refuses points of small order, and points that are not in their only form, as
 * key and as first half. The second half must be below the order. Otherwise a signature could be right for many
 * messages, or be changed and stay right.
 *
 * Points may still have a part of small order. On these, the owner of a key can build signatures that one engine takes
 * and another refuses. That makes no other message signed.
 */
export async function verifyEd25519(signature: Bytes, message: Bytes, publicKey: Bytes): Promise<boolean> {
  if (!isWellFormed(signature, publicKey)) return false;
  try {
    return await verifyNatively(signature, message, publicKey);
  } catch {
    // The engine does not know Ed25519, hides WebCrypto, or does not import a key that is not on the curve.
    return verifyByLibrary(signature, message, publicKey);
  }
}

async function verifyNatively(signature: Bytes, message: Bytes, publicKey: Bytes): Promise<boolean> {
  const { subtle } = globalThis.crypto;
  const key = await subtle.importKey('raw', publicKey, 'Ed25519', false, ['verify']);
  return subtle.verify('Ed25519', key, signature, message);
}

async function verifyByLibrary(signature: Bytes, message: Bytes, publicKey: Bytes): Promise<boolean> {
  const { ed25519 } = await import('@noble/curves/ed25519.js');
  return ed25519.verify(signature, message, publicKey, { zip215: false });
}

const isWellFormed = (signature: Bytes, publicKey: Bytes): boolean =>
  publicKey.length === POINT &&
  signature.length === 2 * POINT &&
  isSoundPoint(publicKey) &&
  isSoundPoint(signature.subarray(0, POINT)) &&
  isBelow(signature.subarray(POINT), ORDER);

/** Returns whether these bytes are the only form of a y, and not that of a point of small order. */
function isSoundPoint(point: Bytes): boolean {
  // The highest bit is the sign of x.
  const y = point.with(POINT - 1, (point[POINT - 1] ?? 0) & 0x7f);
  return isBelow(y, PRIME) && !SMALL_ORDER.has(toHex(y));
}

/** Compares two numbers of the same length, lowest byte first. Nothing here is secret. */
function isBelow(number: Bytes, bound: Bytes): boolean {
  for (let at = bound.length - 1; at >= 0; at--) {
    const difference = (number[at] ?? 0) - (bound[at] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

const toHex = (bytes: Bytes): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

function fromHex(text: string): Bytes {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
