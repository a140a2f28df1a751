// Writes the pictures of the account's own profile.
import type { ExportedPicture, Profile } from '@sealpost/contract';
import { GatewayError, isPassing } from '../gateway/errors.ts';
import { createVerbs } from '../verbs.ts';
import { type ExportEntry, type ExportRun, patiently } from './export-deps.ts';

type Bytes = Uint8Array<ArrayBuffer>;

export async function* exportPictures(
  run: ExportRun,
  { picturePath }: Profile,
): AsyncGenerator<ExportEntry, ExportedPicture[], undefined> {
  const written: ExportedPicture[] = [];
  const verbs = createVerbs(run.rpc, run.ports);
  const reads = {
    profile: () => pictureAt(run, picturePath),
    cover: () => verbs.profile.coverPicture(),
  };
  for (const what of ['profile', 'cover'] as const) {
    const bytes = await patiently(run, () => unlessRefused(reads[what]()));
    if (!bytes) continue;
    const path = `pictures/${what}.jpg`;
    yield {
      path,
      content: (async function* () {
        yield bytes;
      })(),
    };
    written.push({ what, path });
  }
  return written;
}

/** Returns the bytes of a picture from its path on the server; undefined without a picture. */
async function pictureAt({ rpc }: ExportRun, path = ''): Promise<Bytes | undefined> {
  const [, service, sid, oid] = /^\/?r\/([^/]+)\/([^/]+)\/([^/]+)$/.exec(path) ?? [];
  if (!service || !sid || !oid) return undefined;
  const answer = await rpc.http.directObject({ service, sid, oid }, { method: 'GET' });
  return new Uint8Array(await answer.arrayBuffer());
}

/** Returns what was read; undefined if the server refuses the picture, for example because it was just removed. */
async function unlessRefused(read: Promise<Bytes | undefined>): Promise<Bytes | undefined> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof GatewayError && !isPassing(error) && !error.endsSession) return undefined;
    throw error;
  }
}
