// Makes the proofs of RFC 9162, sections 2.1.3.1 and 2.1.4.1, from stored nodes.
import type { Bytes } from '../bytes.ts';
import { fullSubtrees, type ReadNodes, rootOf } from './tree-nodes.ts';

/** A range of leaves; `end` is not in it. */
type Range = readonly [start: number, end: number];

/** Returns the proof that a leaf is in the tree of `size` leaves. */
export async function inclusionProof(index: number, size: number, read: ReadNodes): Promise<Bytes[]> {
  if (!(index >= 0 && index < size)) throw new RangeError(`a tree of ${size} leaves has no leaf ${index}`);
  return hashesOf(pathTo(index, [0, size]), read);
}

/** Returns the proof that the tree of `newSize` leaves begins with the tree of `oldSize` leaves. */
export async function consistencyProof(oldSize: number, newSize: number, read: ReadNodes): Promise<Bytes[]> {
  if (!(oldSize >= 0 && oldSize <= newSize)) throw new RangeError(`${oldSize} leaves do not grow to ${newSize}`);
  return oldSize === 0 ? [] : hashesOf(growth(oldSize, [0, newSize], true), read);
}

/** Returns the ranges of leaves that lie beside the path from a leaf to the root. */
function pathTo(index: number, [start, end]: Range): Range[] {
  if (end - start === 1) return [];
  const middle = middleOf([start, end]);
  return index < middle
    ? [...pathTo(index, [start, middle]), [middle, end]]
    : [...pathTo(index, [middle, end]), [start, middle]];
}

/**
 * Returns the ranges of a consistency proof, as SUBPROOF of RFC 9162 does. `known` is true while the range starts at the
 * first leaf. If such a range is the whole old tree, the proof leaves out its hash, because the verifier knows it.
 */
function growth(oldSize: number, [start, end]: Range, known: boolean): Range[] {
  if (oldSize === end) return known ? [] : [[start, end]];
  const middle = middleOf([start, end]);
  return oldSize <= middle
    ? [...growth(oldSize, [start, middle], known), [middle, end]]
    : [...growth(oldSize, [middle, end], false), [start, middle]];
}

/**
 * Returns the position that splits a range. The size of the left part is the largest power of two below the size of the
 * range.
 */
function middleOf([start, end]: Range): number {
  let left = 1;
  while (left * 2 < end - start) left *= 2;
  return start + left;
}

/** Returns the hash of each range. One call of `read` serves all of them. */
async function hashesOf(ranges: readonly Range[], read: ReadNodes): Promise<Bytes[]> {
  const places = ranges.map(([start, end]) => fullSubtrees(start, end));
  const all = places.flat();
  const hashes = all.length === 0 ? [] : await read(all);
  let at = 0;
  return places.map(({ length }) => {
    at += length;
    return rootOf(hashes.slice(at - length, at));
  });
}
