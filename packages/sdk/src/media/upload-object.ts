// Uploads one object to object storage, part by part (specification: Direct object). After a lost connection, the
// server says how many bytes it has, and the upload continues there.
import type { ByteSource } from '@sealpost/crypto';
import { GatewayError } from '../gateway/errors.ts';
import {
  changed,
  ObjectSender,
  type ObjectSenderDeps,
  otherBytes,
  type SentObject,
  type StoredState,
  WHAT,
} from './object-sender.ts';
import { PartReader } from './part-reader.ts';
import type { Patience } from './patience.ts';

export interface Upload extends SentObject {
  /**
   * Returns the bytes of the object from the beginning. Called again after some lost connections; the bytes must be the
   * same each time.
   */
  open(): ByteSource;
  /** True if an earlier run may have sent a part of the object. */
  readonly resumed: boolean;
  /** Called with the number of bytes that the server has stored. */
  readonly onOffset?: (offset: number) => void;
}

/**
 * Uploads the object and returns its name.
 * @throws MediaError `source-changed` if the bytes differ from those at the beginning of the upload; GatewayError,
 * NetworkError
 */
export async function uploadObject(deps: ObjectSenderDeps, upload: Upload): Promise<string> {
  const sender = new ObjectSender(deps, upload);
  let start = upload.resumed ? (await sender.stored()).offset : 0;
  for (;;) {
    upload.onOffset?.(start);
    const done = await sendFrom(start, upload, sender, deps.patience);
    if ('oid' in done) return done.oid;
    start = done.restartAt;
  }
}

/**
 * Sends the object from `start` to its end. If the server has fewer or more bytes than expected, returns another
 * position to start from.
 */
async function sendFrom(
  start: number,
  upload: Upload,
  sender: ObjectSender,
  patience: Patience,
): Promise<{ readonly oid: string } | { readonly restartAt: number }> {
  const { size } = upload;
  const parts = new PartReader(upload.open());
  try {
    if ((await parts.skip(start)) < start) throw shrunk();
    let stored: StoredState | undefined = start > 0 && start === size ? await sender.stored() : undefined;
    for (let at = start; at < size || !stored; ) {
      const part = await parts.take(Math.min(sender.partSize, size - at));
      if (part.length === 0 && size > 0) throw shrunk();
      const end = at + part.length;
      for (let from = at; from < end || !stored; ) {
        stored = await sender.send(part.subarray(from - at), from);
        const { offset } = stored;
        if (offset > from) patience.progressed();
        if (offset < at || offset > end) return { restartAt: offset };
        upload.onOffset?.(offset);
        from = offset;
      }
      at = end;
    }
    if ((await parts.skip(1)) > 0) throw grown();
    if (stored?.hash !== undefined && stored.hash !== parts.digest()) throw otherBytes();
    if (stored?.oid === undefined) throw new GatewayError(WHAT, 200, { message: 'the answer has no x-obs-oid' });
    return { oid: stored.oid };
  } finally {
    await parts.close();
  }
}

const shrunk = () => changed('The content became shorter while it was being sent.');
const grown = () => changed('The content became longer while it was being sent.');
