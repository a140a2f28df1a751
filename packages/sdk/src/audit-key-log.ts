// Auditing the server's key log from outside: all entries, hashed anew, must lead to the root that the server signed.
// docs/key-log.md says what that shows.
import type { KeyLogEntry, KeyTreeHead } from '@sealpost/contract';
import {
  appendLeaves,
  type Bytes,
  encodeKeyLeaf,
  fromBase64,
  leafHash,
  type NodePlace,
  toBase64,
  treeRoot,
  verifyTreeHead,
} from '@sealpost/crypto';
import type { Services } from './calls.ts';

/** What an auditor remembers from one audit to the next, so that nothing it saw can change without its notice. */
export interface AuditedKeyLog {
  readonly publicKey: string;
  readonly treeSize: number;
  readonly rootHash: string;
  /** Hashes of the full subtrees at the right edge: from them the tree goes on growing. */
  readonly edge: readonly string[];
}

/** The log is not what the server signed, or not what it was. */
export class KeyLogError extends Error {
  override readonly name = 'KeyLogError';
}

type KeyLogService = Pick<Services['KeyTransparencyService'], 'getTreeHead' | 'getEntries'>;

/**
 * Reads what the log has beyond `known`, and answers what to remember. Needs no login.
 * @throws KeyLogError for a log that must not be trusted
 */
export async function auditKeyLog(service: KeyLogService, known?: AuditedKeyLog): Promise<AuditedKeyLog> {
  const head = await service.getTreeHead();
  requireSigned(head, known);
  const tree = await growingTree(known);
  while (tree.size() < head.treeSize) {
    const after = tree.size();
    const page = (await service.getEntries({ after })).slice(0, head.treeSize - after);
    if (page.length === 0)
      throw new KeyLogError(`the log has ${head.treeSize} keys and does not show number ${after + 1}`);
    await tree.append(page.map((entry, i) => leafOf(entry, after + i + 1)));
  }
  const rootHash = toBase64(await tree.root());
  if (rootHash !== head.rootHash) {
    throw new KeyLogError(
      `the ${head.treeSize} keys of the log lead to ${rootHash}, the server signed ${head.rootHash}`,
    );
  }
  return { publicKey: head.publicKey, treeSize: head.treeSize, rootHash, edge: await tree.edge() };
}

function requireSigned(head: KeyTreeHead, known: AuditedKeyLog | undefined): void {
  const signed = { size: head.treeSize, timestamp: Number(head.timestamp), root: decoded(head.rootHash) };
  if (!verifyTreeHead(signed, decoded(head.signature), decoded(head.publicKey))) {
    throw new KeyLogError('the head of the log is not signed with its key');
  }
  if (known && head.publicKey !== known.publicKey) {
    throw new KeyLogError(`the log is signed with ${head.publicKey}, it was with ${known.publicKey}`);
  }
  if (known && head.treeSize < known.treeSize) {
    throw new KeyLogError(`the log has ${head.treeSize} keys, it had ${known.treeSize}`);
  }
}

function leafOf({ midHash, keyId, keyData, createdTime }: KeyLogEntry, place: number): Bytes {
  if (keyId !== place) throw new KeyLogError(`key ${keyId} stands where key ${place} belongs`);
  const leaf = { midHash: decoded(midHash), keyId, key: decoded(keyData), createdTime: Number(createdTime) };
  try {
    return leafHash(encodeKeyLeaf(leaf));
  } catch (error) {
    throw new KeyLogError(`entry ${place} is none: ${(error as Error).message}`);
  }
}

/** Of the whole tree only the right edge is kept, so that a log of any length fits into memory. */
async function growingTree(known: AuditedKeyLog | undefined) {
  let size = known?.treeSize ?? 0;
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

  if (known) await remember(known);
  async function remember({ edge: hashes, rootHash }: AuditedKeyLog): Promise<void> {
    const root = await treeRoot(size, async (places) => {
      if (places.length !== hashes.length) throw new KeyLogError('what was remembered of the log is damaged');
      nodes = new Map(places.map((place, i) => [nameOf(place), decoded(hashes[i] as string)]));
      return read(places);
    });
    if (toBase64(root) !== rootHash) throw new KeyLogError('what was remembered of the log is damaged');
  }

  return {
    size: () => size,
    root: () => treeRoot(size, read),
    edge: async () => [...(await edge()).values()].map(toBase64),
    async append(leaves: readonly Bytes[]): Promise<void> {
      for (const node of await appendLeaves(size, leaves, read)) nodes.set(nameOf(node), node.hash);
      size += leaves.length;
      nodes = await edge();
    },
  };
}

function decoded(text: string): Bytes {
  try {
    return fromBase64(text);
  } catch {
    throw new KeyLogError(`${text.slice(0, 60)} is not base64`);
  }
}
