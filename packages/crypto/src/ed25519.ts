// Signatures of Ed25519 (RFC 8032), checked by WebCrypto. Engines without Ed25519 load a library at the first check.
// WebCrypto and the library disagree about some malformed keys and signatures, which no honest signer makes.
// `verifyEd25519` refuses those before it calls either of the two.
import type { Bytes } from './bytes.ts';

const POINT = 32;

/** The order of the base point, called L in RFC 8032, lowest byte first as in signatures. */
const ORDER = fromHex('edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010');
/** The prime of the field, 2^255 - 19, lowest byte first. */
const PRIME = fromHex('edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f');

/**
 * The y coordinates of all points of small order: 1, -1, 0, and the two that points of order 8 have. The sign of x does
 * not matter.
 */
const SMALL_ORDER: ReadonlySet<string> = new Set([
  '0100000000000000000000000000000000000000000000000000000000000000',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  '0000000000000000000000000000000000000000000000000000000000000000',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
]);

/**
 * Returns whether the signature is right. The key and the first half of the signature are points. Refuses points of
 * small order and points in a form that is not canonical. The second half of the signature must be below ORDER. Without
 * these checks, one signature could be right for many messages, or stay right after a change.
 *
 * A point that passes may still have a component of small order. The owner of such a key can make signatures that one
 * engine accepts and another refuses. Nobody else can forge a signature with it.
 */
export async function verifyEd25519(signature: Bytes, message: Bytes, publicKey: Bytes): Promise<boolean> {
  if (!isWellFormed(signature, publicKey)) return false;
  try {
    return await verifyNatively(signature, message, publicKey);
  } catch {
    // The engine lacks Ed25519, hides WebCrypto, or refuses to import the key because it is not on the curve.
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

/** Returns whether these bytes are the canonical form of a point that is not of small order. */
function isSoundPoint(point: Bytes): boolean {
  // The highest bit is the sign of x.
  const y = point.with(POINT - 1, (point[POINT - 1] ?? 0) & 0x7f);
  return isBelow(y, PRIME) && !SMALL_ORDER.has(toHex(y));
}

/**
 * Compares two numbers of the same length, lowest byte first. The numbers are not secret, so the time may depend on
 * them.
 */
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
