// A Merkle tree that grows leaf by leaf. Only the right edge of the tree is in memory, so even a long log needs little
// memory.
import { appendLeaves, type Bytes, type NodePlace, treeRoot } from '@sealpost/crypto';

export interface GrowingTree {
  size(): number;
  root(): Promise<Bytes>;
  /**
   * Returns the hashes of the full subtrees at the right edge, from left to right. `growingTree` can continue from
   * them.
   */
  edge(): Promise<Bytes[]>;
  append(leaves: readonly Bytes[]): Promise<void>;
}

/**
 * Creates a tree that continues an earlier tree with `size` leaves and this right edge.
 * @throws RangeError if a tree of that size has another number of hashes at its right edge
 */
export async function growingTree(start: { size: number; edge: readonly Bytes[] }): Promise<GrowingTree> {
  let size = start.size;
  let nodes = new Map<string, Bytes>();
  const nameOf = ({ level, index }: NodePlace) => `${level}/${index}`;
  const read = async (places: readonly NodePlace[]) => places.map((place) => nodes.get(nameOf(place)) as Bytes);

  async function edge(): Promise<Map<string, Bytes>> {
    const kept = new Map<string, Bytes>();
    await treeRoot(size, async (places) => {
      const hashes = await read(places);
      for (const [i, place] of places.entries()) kept.set(nameOf(place), hashes[i] as Bytes);
      return hashes;
    });
    return kept;
  }

  let places = 0;
  await treeRoot(size, async (wanted) => {
    places = wanted.length;
    nodes = new Map(wanted.map((place, i) => [nameOf(place), start.edge[i] ?? new Uint8Array()]));
    return read(wanted);
  });
  if (places !== start.edge.length) {
    throw new RangeError(`a tree of ${size} leaves has ${places} hashes at its edge, and not ${start.edge.length}`);
  }

  return {
    size: () => size,
    root: () => treeRoot(size, read),
    edge: async () => [...(await edge()).values()],
    async append(leaves) {
      for (const node of await appendLeaves(size, leaves, read)) nodes.set(nameOf(node), node.hash);
      size += leaves.length;
      nodes = await edge();
    },
  };
}
