// A growing tree as stored nodes. Only full subtrees are stored: their hashes never change, and every other hash of any
// size of the tree comes out of a few of them.
import type { Bytes } from '../bytes.ts';
import { emptyRoot, nodeHash } from './tree-hash.ts';

/** The full subtree over the leaves from `index * 2^level`, 2^level of them. Leaves have level 0. */
export interface NodePlace {
  readonly level: number;
  readonly index: number;
}

export interface TreeNode extends NodePlace {
  readonly hash: Bytes;
}

/** Answers the stored hashes in the order of the places. One call asks for all that a proof needs, so one query may serve it. */
export type ReadNodes = (places: readonly NodePlace[]) => Promise<readonly Bytes[]>;

/** The nodes to store when leaves are appended to a tree of `size` leaves: about two for each leaf. */
export async function appendLeaves(size: number, leafHashes: readonly Bytes[], read: ReadNodes): Promise<TreeNode[]> {
  const edge = await rightEdge(size, read);
  const added: TreeNode[] = [];
  for (const [at, hash] of leafHashes.entries()) {
    let node: TreeNode = { level: 0, index: size + at, hash };
    added.push(node);
    // A node with an odd index is the right half of the next level's node.
    while (node.index % 2 === 1) {
      const left = edge.pop();
      if (!left) throw new RangeError(`the tree of ${size} leaves has no left half for level ${node.level}`);
      node = { level: node.level + 1, index: (node.index - 1) / 2, hash: nodeHash(left, node.hash) };
      added.push(node);
    }
    edge.push(node.hash);
  }
  return added;
}

/** The root of the tree when it had `size` leaves; it may have grown since. */
export async function treeRoot(size: number, read: ReadNodes): Promise<Bytes> {
  return rootOf(await rightEdge(size, read));
}

async function rightEdge(size: number, read: ReadNodes): Promise<Bytes[]> {
  const places = fullSubtrees(0, size);
  return places.length === 0 ? [] : [...(await read(places))];
}

/** The full subtrees that a range of leaves is made of, from left to right: at most one for each level. */
export function fullSubtrees(start: number, end: number): NodePlace[] {
  const places: NodePlace[] = [];
  for (let at = start; at < end; ) {
    let level = 0;
    while (2 ** (level + 1) <= end - at) level++;
    places.push({ level, index: at / 2 ** level });
    at += 2 ** level;
  }
  return places;
}

/** The hash over neighbouring subtrees, larger ones first. */
export const rootOf = (hashes: readonly Bytes[]): Bytes =>
  hashes.length === 0 ? emptyRoot() : hashes.reduceRight((right, left) => nodeHash(left, right));
