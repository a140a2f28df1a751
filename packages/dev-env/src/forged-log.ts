// Forges a key log as a lying server could: with arbitrary entries, but signed with the server's real key.
import type { KeyLogEntry, KeyTreeHead } from '@sealpost/contract';
import {
  appendLeaves,
  type Bytes,
  consistencyProof,
  encodeKeyLeaf,
  fromBase64,
  inclusionProof,
  leafHash,
  type ReadNodes,
  toBase64,
  treeRoot,
} from '@sealpost/crypto';
import { createHeadSigner, loadServerSecret, systemPorts } from '@sealpost/server/internal';
import type { TestServer } from './harness.ts';
import type { LyingProxy } from './proxies/lying.ts';

/**
 * Returns the key with which the server signs the heads of its key log. The operator of a lying server could read this
 * key in the same way.
 */
export async function signingKeyOf({ server }: TestServer): Promise<Uint8Array> {
  const secret = await loadServerSecret(server.store, systemPorts.random, systemPorts.clock, 'key log');
  return secret.key('tree heads');
}

/** Returns a signed head of a log with this root, which may be invented. */
export function signedHead(treeSize: number, root: Bytes, signingKey: Uint8Array, at = Date.now()): KeyTreeHead {
  const signer = createHeadSigner(signingKey);
  return {
    treeSize,
    timestamp: String(at),
    rootHash: toBase64(root),
    signature: signer.sign({ size: treeSize, timestamp: at, root }),
    publicKey: signer.publicKey,
  };
}

/** Makes the proxy answer all calls about the key log as if the log consisted of exactly these entries. */
export async function forgeLog(
  proxy: LyingProxy,
  entries: readonly KeyLogEntry[],
  signingKey: Uint8Array,
): Promise<void> {
  const nodes = new Map<string, Bytes>();
  const read: ReadNodes = async (places) => places.map(({ level, index }) => nodes.get(`${level} ${index}`) as Bytes);
  const leaves = entries.map(({ midHash, keyId, keyData, createdTime }) =>
    leafHash(
      encodeKeyLeaf({
        midHash: fromBase64(midHash),
        keyId,
        key: fromBase64(keyData),
        createdTime: Number(createdTime),
      }),
    ),
  );
  for (const { level, index, hash } of await appendLeaves(0, leaves, read)) nodes.set(`${level} ${index}`, hash);
  const size = entries.length;
  const root = await treeRoot(size, read);
  const toProof = (hashes: readonly Bytes[]) => ({ hashes: hashes.map(toBase64) });
  proxy.lie('KeyTransparencyService.getTreeHead', () => signedHead(size, root, signingKey));
  proxy.lie('KeyTransparencyService.getInclusionProof', async (_, { keyId, treeSize }) =>
    toProof(await inclusionProof(keyId - 1, treeSize, read)),
  );
  proxy.lie('KeyTransparencyService.getConsistencyProof', async (_, { firstSize, secondSize }) =>
    toProof(await consistencyProof(firstSize, secondSize, read)),
  );
  proxy.lie('KeyTransparencyService.getEntries', (_, { after, count = 1000 }) => entries.slice(after, after + count));
}
