// Copies the objects of a server to another place. The old place keeps them.
import type { Objects } from '../../platform/objects/objects.ts';
import { openPlace } from '../../start/adapters.ts';
import type { Config } from '../../start/config/config.ts';
import type { ConfigSources } from '../../start/config/sources.ts';
import { createOpened } from '../../start/opened.ts';
import { keysOf } from '../backup/backup-place.ts';
import { namedObjects } from '../backup/object-list.ts';
import { copyAlsoQuarantined, type ExpectedObject } from '../copy-object.ts';
import type { Database } from '../database/database.ts';
import { instanceOf } from '../instance.ts';
import { serverConfig } from '../places.ts';
import type { OnProgress } from '../progress.ts';

type MovedObjects = { readonly count: number; readonly bytes: number; readonly place: string };

/**
 * Copies the objects if the operator wants them elsewhere. Uploads that are not finished begin again.
 * @throws Error if the new place belongs to another server, or an object is missing or damaged
 */
export async function moveObjects(
  config: Config,
  source: Database,
  { sources, objectsTo }: { readonly sources: ConfigSources; readonly objectsTo?: string | undefined },
  onProgress: OnProgress,
): Promise<MovedObjects | undefined> {
  if (objectsTo === undefined) return undefined;
  const { media } = config;
  const named = serverConfig({
    ...sources,
    flags: { ...sources.flags, 'objects-url': objectsTo },
    calledBy: { 'objects-url': '--objects-to' },
  }).objects;
  const target = named.kind === 's3' ? { ...named, given: { name: '--objects-to' } } : named;
  const opened = createOpened();
  const open = async (where: Config['objects'], folder: string) =>
    opened.add(await openPlace(where, media.objectBytes, folder));
  try {
    const to = await open(target, '');
    await claim(to, await instanceOf(source));
    let [count, bytes] = [0, 0];
    const copyAll = async (objects: AsyncIterable<ExpectedObject>, from: Objects, there: Objects): Promise<void> => {
      for await (const object of objects) {
        const { size } = await copyAlsoQuarantined(object, { from, to: there }).catch((error: Error) => {
          throw new Error(
            `the object ${object.key} in ${from.location} cannot be copied: ${error.message}. \`sealpost verify\` tells which objects are damaged, and what to do.`,
            { cause: error },
          );
        });
        count += 1;
        bytes += size;
        onProgress({ what: 'objects', done: count });
      }
    };
    await copyAll(namedObjects(source), await open(config.objects, ''), to);
    const stickers = await open(config.objects, 'stickers/');
    await copyAll(allOf(stickers), stickers, await open(target, 'stickers/'));
    return { count, bytes, place: to.location };
  } finally {
    await opened.close();
  }
}

async function claim(to: Objects, instance: string): Promise<void> {
  const owner = await to.owner();
  if (owner === instance) return;
  const [some] = await to.page('published', '', 1);
  if (owner !== undefined || some !== undefined) {
    throw new Error(
      `the place ${to.location} has objects of ${owner === undefined ? 'somebody' : `the server ${owner}`}. Name an empty place with --objects-to.`,
    );
  }
  await to.claim(instance);
}

async function* allOf(objects: Objects): AsyncGenerator<ExpectedObject> {
  for await (const key of keysOf(objects, 'published')) yield { key, size: null, hash: null };
}
