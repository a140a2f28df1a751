// Determines an object's type from its bytes alone, never from its name or from what the client claims.
import { type Objects, wholeOf } from '../../platform/objects/objects.ts';
import { kindAt, splitOid } from './names.ts';
import type { UploadSlot } from './upload-slot.ts';

export interface Inspection {
  readonly mime: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** Number of bytes at the start of an object that are read to detect its type. */
const HEAD_BYTES = 4100;
const UNKNOWN: Inspection = { mime: 'application/octet-stream', details: {} };

export async function inspect(objects: Objects, { key, place, oid }: UploadSlot, size: number): Promise<Inspection> {
  const sealed = kindAt(place) === 'sealed' || splitOid(oid).side === 'hash';
  if (sealed || size === 0) return UNKNOWN;
  const head = await wholeOf(await objects.read(key, { start: 0, end: Math.min(size, HEAD_BYTES) - 1 }));
  // The module is loaded only when it is used, because loading it would slow down the start of the server.
  const { fileTypeFromBuffer } = await import('file-type');
  const found = await fileTypeFromBuffer(head).catch(() => undefined);
  return found ? { mime: found.mime, details: {} } : UNKNOWN;
}
