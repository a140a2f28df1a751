// A growing Merkle tree, kept as stored nodes. Only full subtrees are stored, because their hashes never change. The
// other hashes, for every size of the tree, are computed from a few stored ones.
import type { Bytes } from '../bytes.ts';
import { emptyRoot, nodeHash } from './tree-hash.ts';

/**
 * The place of a full subtree. It covers 2^level leaves, from leaf `index * 2^level` on. A leaf is a subtree of level
 * 0.
 */
export interface NodePlace {
  readonly level: number;
  readonly index: number;
}

export interface TreeNode extends NodePlace {
  readonly hash: Bytes;
}

/**
 * A function that returns the stored hashes in the order of the places. One call asks for everything that a proof
 * needs, so one database query is enough.
 */
export type ReadNodes = (places: readonly NodePlace[]) => Promise<readonly Bytes[]>;

/** Returns the nodes to store when leaves are appended to a tree of `size` leaves: about two for each leaf. */
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

/** Returns the root that the tree had at `size` leaves. The tree may have grown since. */
export async function treeRoot(size: number, read: ReadNodes): Promise<Bytes> {
  return rootOf(await rightEdge(size, read));
}

async function rightEdge(size: number, read: ReadNodes): Promise<Bytes[]> {
  const places = fullSubtrees(0, size);
  return places.length === 0 ? [] : [...(await read(places))];
}

/** Returns the full subtrees that a range of leaves consists of, from left to right. */
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

/**
 * Returns the hash of the tree over neighbouring subtrees. The hashes are given from left to right, so hashes of larger
 * subtrees come first.
 */
export const rootOf = (hashes: readonly Bytes[]): Bytes =>
  hashes.length === 0 ? emptyRoot() : hashes.reduceRight((right, left) => nodeHash(left, right));
