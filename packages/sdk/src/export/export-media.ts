// Writes the picture, video, sound or file of a message. If it is missing, the export continues without it.
import type { ExportedMedia, Message } from '@sealpost/contract';
import { GatewayError, isPassing } from '../gateway/errors.ts';
import { MediaError } from '../media/media-error.ts';
import { contentTypeOf, type MediaKind } from '../media/outgoing.ts';
import { isUnsent } from '../replica/tables.ts';
import type { ExportEntry, ExportRun } from './export-deps.ts';

const EXTENSIONS = { image: '.jpg', video: '.mp4', audio: '.m4a', file: '' } as const satisfies Record<
  MediaKind,
  string
>;

/** Returns whether a message has an object. An unsent message has no object any more. */
export const isMedia = (message: Message): boolean =>
  Object.values<number>(contentTypeOf).includes(message.contentType) && !isUnsent(message);

/** Yields the file of a message's object, and returns the entry about the file for the message. */
export async function* exportMedia(
  run: ExportRun,
  message: Message,
): AsyncGenerator<ExportEntry, ExportedMedia, undefined> {
  const { rpc, sealing, signal, counts } = run;
  let path: string | undefined;
  try {
    const media = await rpc.media(sealing).open(message, { signal });
    path = `media/${message.id}${extensionOf(media.name) ?? EXTENSIONS[media.kind]}`;
    const read: { bytes: number; error?: unknown } = { bytes: 0 };
    yield { path, content: counted(media.bytes(), read, run) };
    if (read.error !== undefined) throw read.error;
    counts.media += 1;
    run.report();
    return { path, bytes: read.bytes, ...(media.name !== undefined && { name: media.name }) };
  } catch (error) {
    const missing = whyMissing(error);
    if (!missing) throw error;
    counts.missingMedia += 1;
    return { missing: path === undefined ? missing : { ...missing, detail: `${missing.detail} Do not use ${path}.` } };
  }
}

/**
 * Passes bytes on and counts them. An error that concerns only this object ends the file. Any other error ends the
 * export.
 */
async function* counted(
  content: AsyncIterable<Uint8Array>,
  read: { bytes: number; error?: unknown },
  run: ExportRun,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    for await (const piece of content) {
      read.bytes += piece.length;
      run.counts.mediaBytes += piece.length;
      if (piece.length > 0) yield piece;
      run.report();
    }
  } catch (error) {
    if (!whyMissing(error)) throw error;
    read.error = error;
  }
}

/** Returns why an object is missing; undefined if the error does not concern only this object. */
function whyMissing(error: unknown): ExportedMedia['missing'] {
  if (error instanceof MediaError) return { reason: error.reason, detail: error.message };
  const isRefusal = error instanceof GatewayError && !isPassing(error) && !error.endsSession && !error.needsRenewal;
  return isRefusal ? { reason: error.http === 404 ? 'no-object' : 'refused', detail: error.message } : undefined;
}

/** Returns the extension of a file name that another user chose, if it has only letters and digits. */
const extensionOf = (name: string | undefined): string | undefined =>
  /\.[A-Za-z0-9]{1,10}$/.exec(name ?? '')?.[0].toLowerCase();
