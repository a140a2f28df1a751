// The methods of the key log, which need no login: the signed head, the proofs and the entries.
import { ApiError, type KeyLogEntry, limits } from '@sealpost/contract';
import type { Clock } from '@sealpost/contract/ports';
import type { keyLog } from '@sealpost/contract/schemas';
import { type Bytes, consistencyProof, inclusionProof, midHash, toBase64, treeRoot } from '@sealpost/crypto';
import { onFirstUse } from '../../platform/kernel/on-first-use.ts';
import type { Handlers } from '../../platform/rpc/call.ts';
import type { Reader, Store } from '../../platform/store/store.ts';
import { createHeadSigner } from './head-signer.ts';
import * as q from './queries.ts';
import { logSize, nodesFrom } from './tree.ts';

export interface KeyLogDeps {
  readonly store: Store;
  readonly clock: Clock;
  /** Private key of 32 bytes that signs the log's heads and nothing else. */
  readonly signingKey: Uint8Array;
}

export function keyLogHandlers({ store, clock, signingKey }: KeyLogDeps): Handlers<keyof typeof keyLog> {
  const signer = onFirstUse(() => createHeadSigner(signingKey));

  return {
    // The head is signed again for each request, so the time in the head shows how fresh the head is.
    'KeyTransparencyService.getTreeHead': async () => {
      const { size, root } = await store.read(async (reader) => {
        const size = await logSize(reader);
        return { size, root: await treeRoot(size, nodesFrom(reader)) };
      });
      const timestamp = clock.now();
      return {
        treeSize: size,
        timestamp: String(timestamp),
        rootHash: toBase64(root),
        signature: signer().sign({ size, timestamp, root }),
        publicKey: signer().publicKey,
      };
    },
    'KeyTransparencyService.getInclusionProof': (_call, { keyId, treeSize }) =>
      store.read(async (reader) => {
        await requireSize(reader, 'treeSize', treeSize);
        if (keyId < 1 || keyId > treeSize) {
          throw new ApiError('NOT_FOUND', `request.keyId ${keyId} is not among the first ${treeSize} keys`);
        }
        return toProof(await inclusionProof(keyId - 1, treeSize, nodesFrom(reader)));
      }),
    'KeyTransparencyService.getConsistencyProof': (_call, { firstSize, secondSize }) =>
      store.read(async (reader) => {
        await requireSize(reader, 'secondSize', secondSize);
        if (firstSize > secondSize) {
          throw new ApiError('NOT_FOUND', `request.firstSize ${firstSize} is more than secondSize ${secondSize}`);
        }
        return toProof(await consistencyProof(firstSize, secondSize, nodesFrom(reader)));
      }),
    'KeyTransparencyService.getEntries': async (_call, { after, count = limits.keyLogPage.value }) =>
      (await store.read((reader) => reader.all(q.keysAfter, after, count))).map(toEntry),
  };
}

async function requireSize(reader: Reader, name: string, size: number): Promise<void> {
  const now = await logSize(reader);
  if (size > now) throw new ApiError('NOT_FOUND', `request.${name} is ${size}, the log has ${now} keys`);
}

const toProof = (hashes: readonly Bytes[]) => ({ hashes: hashes.map(toBase64) });

const toEntry = (row: q.LoggedKeyRow): KeyLogEntry => ({
  midHash: toBase64(midHash(row.mid)),
  keyId: row.key_id,
  keyData: row.key_data,
  createdTime: String(row.created_time),
});
