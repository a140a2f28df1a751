// Helpers that the tests of media share: a connection that breaks, and bytes to compare.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { hurriedTimers } from '@sealpost/dev-env/hurried-timers';
import type { CuttingProxy } from '@sealpost/dev-env/proxies/cutting';
import { createRpcClient, type Media, type OutgoingMedia, type RpcClient, type UploadStore } from '@sealpost/sdk';

export const MIB = 1024 * 1024;

export const hash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

export const file = (bytes: Uint8Array<ArrayBuffer>, rest: Partial<OutgoingMedia> = {}): OutgoingMedia => ({
  kind: 'file',
  bytes: new Blob([bytes]),
  name: 'report.pdf',
  ...rest,
});

/** Returns a newly started client of the same login, whose connection breaks. */
export function shakyClient(
  proxy: CuttingProxy,
  { session, keyStore }: Pick<RpcClient, 'session' | 'keyStore'>,
  uploads?: UploadStore,
): RpcClient {
  assert.ok(session);
  return createRpcClient({ url: proxy.url, session, keyStore, ...(uploads && { uploads }), timers: hurriedTimers(20) });
}

/** Returns an upload store whose states a test can read. */
export function visibleUploads(): { readonly states: Map<string, string>; readonly uploads: UploadStore } {
  const states = new Map<string, string>();
  return {
    states,
    uploads: {
      load: (key) => states.get(key),
      save: (key, state) => void states.set(key, state),
      remove: (key) => void states.delete(key),
    },
  };
}

/** Returns the content of a message, read through `media`. `after` is the part that is already there. */
export async function contentOf(
  client: RpcClient,
  media: Media,
  id: string,
  after?: Uint8Array<ArrayBuffer>,
): Promise<Buffer> {
  const [message] = await client.TalkService.getMessagesByIds([id]);
  assert.ok(message);
  const parts: Uint8Array[] = [];
  const opened = await media.open(message);
  for await (const part of opened.bytes(after && new Blob([after]))) parts.push(part);
  return Buffer.concat(parts);
}
