// Checks proofs with the steps of RFC 9162, sections 2.1.3.2 and 2.1.4.2. Sizes may be above 2^32, so they are halved
// by division and not by a shift.
import { type Bytes, equal } from '../bytes.ts';
import { emptyRoot, nodeHash } from './tree-hash.ts';

const HASH = 32;
const isOdd = (n: number): boolean => n % 2 === 1;
const half = (n: number): number => Math.floor(n / 2);
const isPowerOfTwo = (n: number): boolean => (isOdd(n) ? n === 1 : isPowerOfTwo(n / 2));
const isSize = (n: number): boolean => Number.isSafeInteger(n) && n >= 0;
const areHashes = (hashes: readonly Uint8Array[]): boolean => hashes.every((hash) => hash.length === HASH);

/** Returns whether the leaf is at this index in the tree with this size and root. */
export function verifyInclusion(claim: {
  readonly leafHash: Bytes;
  readonly index: number;
  readonly size: number;
  readonly root: Bytes;
  readonly proof: readonly Bytes[];
}): boolean {
  const { index, size, proof } = claim;
  if (!isSize(index) || !isSize(size) || index >= size || !areHashes([claim.leafHash, ...proof])) return false;
  let [fn, sn, hash] = [index, size - 1, claim.leafHash];
  for (const beside of proof) {
    if (sn === 0) return false;
    if (isOdd(fn) || fn === sn) {
      hash = nodeHash(beside, hash);
      for (; !isOdd(fn) && fn !== 0; sn = half(sn)) fn = half(fn);
    } else hash = nodeHash(hash, beside);
    [fn, sn] = [half(fn), half(sn)];
  }
  return sn === 0 && equal(hash, claim.root);
}

/** Returns whether the new tree begins with the whole old tree, so that nothing was changed or removed. */
export function verifyConsistency(claim: {
  readonly oldSize: number;
  readonly oldRoot: Bytes;
  readonly newSize: number;
  readonly newRoot: Bytes;
  readonly proof: readonly Bytes[];
}): boolean {
  const { oldSize, oldRoot, newSize, newRoot, proof } = claim;
  if (!isSize(oldSize) || !isSize(newSize) || oldSize > newSize || !areHashes([oldRoot, newRoot, ...proof]))
    return false;
  if (oldSize === newSize) return proof.length === 0 && equal(oldRoot, newRoot);
  if (oldSize === 0) return proof.length === 0 && equal(oldRoot, emptyRoot());
  // If the old tree is full, its root is a node of the new tree. The verifier knows this root, so the proof leaves it
  // out.
  const [start, ...path] = isPowerOfTwo(oldSize) ? [oldRoot, ...proof] : proof;
  return start !== undefined && grows(claim, start, path);
}

function grows(
  { oldSize, oldRoot, newSize, newRoot }: Parameters<typeof verifyConsistency>[0],
  start: Bytes,
  path: readonly Bytes[],
): boolean {
  let [fn, sn] = [oldSize - 1, newSize - 1];
  for (; isOdd(fn); sn = half(sn)) fn = half(fn);
  let [oldHash, newHash] = [start, start];
  for (const beside of path) {
    if (sn === 0) return false;
    if (isOdd(fn) || fn === sn) {
      [oldHash, newHash] = [nodeHash(beside, oldHash), nodeHash(beside, newHash)];
      for (; !isOdd(fn) && fn !== 0; sn = half(sn)) fn = half(fn);
    } else newHash = nodeHash(newHash, beside);
    [fn, sn] = [half(fn), half(sn)];
  }
  return sn === 0 && equal(oldHash, oldRoot) && equal(newHash, newRoot);
}
