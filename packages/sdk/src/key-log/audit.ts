// Audits a key log: the hash over all entries of the log must be the root that the server signed.
import type { KeyTreeHead } from '@sealpost/contract';
import { toBase64, verifyTreeHead } from '@sealpost/crypto';
import { loaded } from '../deferred.ts';
import type { Services } from '../gateway/calls.ts';
import { type GrowingTree, growingTree } from './growing-tree.ts';
import { KeyLogError } from './key-log-error.ts';
import { decoded, leafOf } from './log-entry.ts';

/**
 * The data that an auditor keeps from one audit to the next, so that no entry of an earlier audit can change unnoticed.
 */
export interface AuditedKeyLog {
  readonly publicKey: string;
  readonly treeSize: number;
  readonly rootHash: string;
  /** The hashes of the full subtrees at the tree's right edge. The next audit appends new entries to them. */
  readonly edge: readonly string[];
}

export type KeyLogService = Pick<Services['KeyTransparencyService'], 'getTreeHead' | 'getEntries'>;

export async function audit(service: KeyLogService, known?: AuditedKeyLog): Promise<AuditedKeyLog> {
  const head = await service.getTreeHead();
  await requireSigned(head, known);
  const tree = await knownTree(known);
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
  return { publicKey: head.publicKey, treeSize: head.treeSize, rootHash, edge: (await tree.edge()).map(toBase64) };
}

async function requireSigned(head: KeyTreeHead, known: AuditedKeyLog | undefined): Promise<void> {
  const signed = { size: head.treeSize, timestamp: Number(head.timestamp), root: decoded(head.rootHash) };
  if (!(await loaded(verifyTreeHead(signed, decoded(head.signature), decoded(head.publicKey))))) {
    throw new KeyLogError('the head of the log is not signed with its key');
  }
  if (known && head.publicKey !== known.publicKey) {
    throw new KeyLogError(`the log is signed with ${head.publicKey}, it was with ${known.publicKey}`);
  }
  if (known && head.treeSize < known.treeSize) {
    throw new KeyLogError(`the log has ${head.treeSize} keys, it had ${known.treeSize}`);
  }
}

async function knownTree(known: AuditedKeyLog | undefined): Promise<GrowingTree> {
  const start = { size: known?.treeSize ?? 0, edge: known?.edge.map(decoded) ?? [] };
  const tree = await growingTree(start).catch(() => undefined);
  if (!tree || (known && toBase64(await tree.root()) !== known.rootHash)) {
    throw new KeyLogError('what was remembered of the log is damaged');
  }
  return tree;
}
