// Checks the account's own keys: what the server returns for them, and what the log has under the account's name.
import type { KeyLogEntry, KeyTreeHead, MethodResult } from '@sealpost/contract';
import { type Bytes, fromBase64, type KeyChainEntry, midHash, toBase64 } from '@sealpost/crypto';
import type { Gateway } from '../gateway/calls.ts';
import { type GrowingTree, growingTree } from '../key-log/growing-tree.ts';
import { KeyLogError } from '../key-log/key-log-error.ts';
import type { Witness } from '../key-log/key-log-witness.ts';
import { leafOf } from '../key-log/log-entry.ts';
import type { KeyStore } from '../key-store/key-store.ts';
import { KeyTrustError } from './key-trust-error.ts';
import type { KnownKey, TrustMemory } from './trust-memory.ts';

export interface OwnKeysDeps {
  readonly gateway: Gateway;
  readonly keyStore: KeyStore;
  readonly memory: TrustMemory;
  readonly witness: Witness;
  readonly mid: string;
}

/**
 * The maximum number of pages of the log that one check reads, so that the check ends quickly even on the busiest
 * server. The next check continues after the last page.
 */
const PAGES = 20;

/**
 * Checks that the server lists the keys of this device, which has at least one. Checks that the log has these keys and
 * continues the remembered log. Then searches the log for keys of the account that this device does not have.
 * @returns the keys that this check found for the first time and that are not on this device
 * @throws KeyTrustError if a check fails
 */
export async function checkOwnKeys(deps: OwnKeysDeps): Promise<KnownKey[]> {
  const { gateway, keyStore, witness, mid } = deps;
  const own = await keyStore.ownKeys(mid);
  const head = await witness.head();
  const listed = await gateway.call('TalkService.getE2EEPublicKeys');
  const shown = own.map((key) => ({ mid, key: shownAs(key, listed, mid) }));
  if (!head) return [];
  for (const key of shown) await witness.requireLogged(head, key);
  return search(deps, head, own);
}

type Listed = MethodResult<'TalkService.getE2EEPublicKeys'>;

function shownAs({ keyId, publicKey }: KeyChainEntry, listed: Listed, mid: string): Listed[number] {
  const key = listed.find((candidate) => candidate.keyId === keyId);
  if (!key) throw new KeyTrustError('rewound', `the server does not list the own key ${keyId}`, { mid, keyId });
  if (key.keyData === toBase64(publicKey)) return key;
  const values = `the server shows ${key.keyData} as the own key ${keyId}, it is ${toBase64(publicKey)}`;
  throw new KeyTrustError('swapped', values, { mid, keyId });
}

async function search(deps: OwnKeysDeps, head: KeyTreeHead, own: readonly KeyChainEntry[]): Promise<KnownKey[]> {
  const { gateway, keyStore, memory, mid } = deps;
  const tree = await startingTree(deps, Math.min(...own.map(({ keyId }) => keyId)));
  // Another process of this account has already searched further.
  if (tree.size() > head.treeSize) return [];
  const ownHash = toBase64(midHash(mid));
  const found: KnownKey[] = [];
  for (let page = 0; page < PAGES && tree.size() < head.treeSize; page++) {
    const after = tree.size();
    const answer = await gateway.anonymous('KeyTransparencyService.getEntries', { after });
    const entries = answer.slice(0, head.treeSize - after);
    if (entries.length === 0) throw forked(`it does not show key ${after + 1} of ${head.treeSize}`);
    await tree.append(leavesOf(entries, after));
    for (const entry of entries) {
      if (entry.midHash === ownHash) found.push({ keyId: entry.keyId, keyData: entry.keyData, logged: true });
    }
  }
  await requireTreeOf(deps, tree, head);
  // The keys are read again, because they may have changed while the log was read. This device may have registered a
  // key, or may be waiting for the server to assign the id of its new key.
  const ofDevice = [...(await keyStore.unregisteredKeys(mid)), ...(await keyStore.ownKeys(mid))];
  const held = new Set(ofDevice.map(({ publicKey }) => toBase64(publicKey)));
  const unknown = found.filter(({ keyData }) => !held.has(keyData));
  const edge = (await tree.edge()).map(toBase64);
  await memory.updateLog((log) => ({
    ...log,
    searched: { size: tree.size(), edge },
    unknownOwnKeys: [...(log.unknownOwnKeys ?? []).filter(({ keyData }) => !held.has(keyData)), ...unknown],
  }));
  return unknown;
}

/**
 * Returns the tree at which the last search ended. The first search starts at the account's first key, because the log
 * cannot have earlier keys of the account. The inclusion proof of the last key in a log is the right edge of the tree
 * without that key.
 */
async function startingTree({ gateway, memory }: OwnKeysDeps, firstKeyId: number): Promise<GrowingTree> {
  const { searched } = await memory.log();
  if (searched) return growingTree({ size: searched.size, edge: searched.edge.map(fromBase64) });
  const request = { keyId: firstKeyId, treeSize: firstKeyId };
  const { hashes } = await gateway.anonymous('KeyTransparencyService.getInclusionProof', request);
  try {
    return await growingTree({ size: firstKeyId - 1, edge: hashes.map(fromBase64).reverse() });
  } catch (error) {
    throw forked((error as Error).message);
  }
}

/** Checks that the entries that this device read are exactly those that the server signed. */
async function requireTreeOf({ witness }: OwnKeysDeps, tree: GrowingTree, head: KeyTreeHead): Promise<void> {
  const root = await tree.root();
  if (await witness.isBeginning(tree.size(), root, head)) return;
  throw forked(`its first ${tree.size()} keys lead to ${toBase64(root)}, which does not continue to the signed head`);
}

function leavesOf(entries: readonly KeyLogEntry[], after: number): Bytes[] {
  try {
    return entries.map((entry, i) => leafOf(entry, after + i + 1));
  } catch (error) {
    if (error instanceof KeyLogError) throw forked(error.message);
    throw error;
  }
}

const forked = (what: string): KeyTrustError =>
  new KeyTrustError('forked', `the key log is not what the server signed: ${what}`);
