// Computes RSA key pairs from a seed. They are only for tests, because anybody who knows the seed knows the private
// key.
import { checkPrimeSync, createPrivateKey } from 'node:crypto';
import type { Random } from '@sealpost/contract/ports';
import type { ServerPorts } from '@sealpost/server/workbench';

type RsaPair = Awaited<ReturnType<ServerPorts['slowCrypto']['makeRsaPair']>>;

const EXPONENT = 65537n;
/**
 * The odd primes below 3,000. Most candidates are divisible by one of them, and finding that out is faster than a
 * primality test.
 */
const SMALL_PRIMES = oddPrimesBelow(3_000);

/** Returns a pair whose modulus has this many bits. */
export function seededRsaPair(random: Random, bits: number): RsaPair {
  const p = primeOf(random, bits / 2);
  let q = primeOf(random, bits / 2);
  while (q === p) q = primeOf(random, bits / 2);
  const d = inverse(EXPONENT, (p - 1n) * (q - 1n));
  const n = p * q;
  const jwk = {
    kty: 'RSA',
    n: base64url(n),
    e: base64url(EXPONENT),
    d: base64url(d),
    p: base64url(p),
    q: base64url(q),
    dp: base64url(d % (p - 1n)),
    dq: base64url(d % (q - 1n)),
    qi: base64url(inverse(q, p)),
  };
  const key = createPrivateKey({ key: jwk, format: 'jwk' });
  return {
    modulus: hexOf(n),
    exponent: EXPONENT.toString(16),
    privateKey: key.export({ format: 'der', type: 'pkcs8' }),
  };
}

/**
 * Draws a number, and returns the first prime from there on that can be used with the exponent. The two highest bits of
 * the prime are set.
 */
function primeOf(random: Random, bits: number): bigint {
  const bytes = random.bytes(bits / 8);
  bytes[0] = (bytes[0] ?? 0) | 0xc0;
  const last = bytes.length - 1;
  bytes[last] = (bytes[last] ?? 0) | 1;
  const candidate = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  const rests = SMALL_PRIMES.map((prime) => Number(candidate % BigInt(prime)));
  for (let step = 0; ; step += 2) {
    // The remainder of `candidate + step` is computed from that of `candidate`, which avoids arithmetic with large
    // numbers.
    if (rests.some((rest, at) => (rest + step) % (SMALL_PRIMES[at] ?? 1) === 0)) continue;
    const prime = candidate + BigInt(step);
    if (prime % EXPONENT !== 1n && checkPrimeSync(prime)) return prime;
  }
}

function oddPrimesBelow(limit: number): number[] {
  const primes: number[] = [];
  for (let number = 3; number < limit; number += 2) {
    if (primes.every((prime) => number % prime !== 0)) primes.push(number);
  }
  return primes;
}

/** Returns the inverse of a number modulo another, by the extended Euclidean algorithm. */
function inverse(number: bigint, modulus: bigint): bigint {
  let [rest, next] = [modulus, number % modulus];
  let [factor, following] = [0n, 1n];
  while (next !== 0n) {
    const quotient = rest / next;
    [rest, next] = [next, rest - quotient * next];
    [factor, following] = [following, factor - quotient * following];
  }
  return ((factor % modulus) + modulus) % modulus;
}

function hexOf(number: bigint): string {
  const hex = number.toString(16);
  return hex.length % 2 === 0 ? hex : `0${hex}`;
}

const base64url = (number: bigint): string => Buffer.from(hexOf(number), 'hex').toString('base64url');
