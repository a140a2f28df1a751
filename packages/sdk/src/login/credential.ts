// The encrypted credential of loginV2 (specification: Authentication, Login).

/** The answer of getRSAKeyInfo: an RSA key that encrypts one credential. */
export interface RsaKey {
  /** The modulus, in hex. */
  readonly nvalue: string;
  /** The public exponent, in hex. */
  readonly evalue: string;
  readonly sessionKey: string;
}

const utf8 = new TextEncoder();
const LONGEST_PART = 255;
/** The least number of bytes that PKCS#1 v1.5 adds: 00 02, eight random bytes, 00. */
const PADDING_OVERHEAD = 11;

/**
 * Encrypts session key, identifier and password. Before each of the three stands one byte with its length. Uses RSA
 * with PKCS#1 v1.5, and returns lower-case hex.
 */
export function encryptCredential(key: RsaKey, identifier: string, password: string): string {
  const blob = [key.sessionKey, identifier, password].flatMap((part, at) => {
    const bytes = utf8.encode(part);
    if (bytes.length > LONGEST_PART) {
      const name = ['session key', 'identifier', 'password'][at];
      throw new RangeError(`the ${name} has ${bytes.length} bytes; a login takes at most ${LONGEST_PART}`);
    }
    return [bytes.length, ...bytes];
  });
  return rsaEncrypt(key, blob);
}

// WebCrypto has no PKCS#1 v1.5 encryption, and browsers do not have Node's crypto module. So this function does the
// public-key arithmetic itself: seventeen multiplications for the usual exponent. It uses no secret key, so it need not
// run in constant time.
function rsaEncrypt(key: RsaKey, message: readonly number[]): string {
  const hexLength = key.nvalue.length + (key.nvalue.length % 2);
  const size = hexLength / 2;
  if (message.length > size - PADDING_OVERHEAD) {
    throw new RangeError(`identifier and password are too long together for the server's ${size * 8}-bit key`);
  }
  const padding = nonZeroRandom(size - message.length - 3);
  const block = BigInt(`0x${hex([0, 2, ...padding, 0, ...message])}`);
  return power(block, BigInt(`0x${key.evalue}`), BigInt(`0x${key.nvalue}`))
    .toString(16)
    .padStart(hexLength, '0');
}

function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n;
  let square = base % modulus;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % modulus;
    square = (square * square) % modulus;
  }
  return result;
}

function nonZeroRandom(length: number): number[] {
  const bytes: number[] = [];
  while (bytes.length < length) bytes.push(...crypto.getRandomValues(new Uint8Array(length)).filter((b) => b !== 0));
  return bytes.slice(0, length);
}

const hex = (bytes: readonly number[]): string => bytes.map((b) => b.toString(16).padStart(2, '0')).join('');
