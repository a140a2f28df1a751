// The check of all objects at the end of a simulation, when what was left unfinished may be swept.
import { limits } from '@sealpost/contract';
import { present } from './present.ts';
import { readRows } from './read-rows.ts';
import type { Simulation } from './simulation.ts';

interface ObjectRow {
  readonly oid: string;
  readonly object_key: string;
  readonly whole: number;
  readonly hash: string | null;
}

interface Usage {
  readonly account: number;
  readonly objects: number;
  readonly bytes: number;
  readonly found: number;
  readonly sum: number;
}

/** Milliseconds for which the removal of bytes may take after a sweep. */
const REMOVAL_MS = 10_000;

/**
 * Sweeps, and then checks each row and each object. A row has a whole object with its hash. Bytes without a row are
 * removed. The usage of an account is the sum of its rows.
 */
export async function checkObjects(simulation: Simulation): Promise<void> {
  const { objects, judge, actors, disk } = simulation;
  await sweep(simulation);
  const rows = readRows<ObjectRow>(disk, 'select oid, object_key, whole, hash from media_object');
  const named = new Set(rows.map((row) => row.object_key));
  const unnamed = () =>
    [...objects.keysIn('unpublished'), ...objects.keysIn('published')].filter((key) => !named.has(key));
  await simulation.until(() => unnamed().length === 0, REMOVAL_MS);
  for (const key of unnamed()) judge.violated('objects', `no row names the object ${key}`);
  for (const { oid, object_key: key, whole, hash } of rows) {
    if (whole !== 1) judge.violated('objects', `the unfinished object ${oid} was not swept`);
    else if (objects.hashOf(key) !== hash)
      judge.violated('objects', `the row of ${oid} has the hash ${hash}, its bytes ${objects.hashOf(key)}`);
  }
  for (const { oid, hash } of actors.uploader.uploaded)
    if (!rows.some((row) => row.oid === oid && row.hash === hash))
      judge.violated('objects', `the object ${oid} was acknowledged and has no row`);
  const usages = readRows<Usage>(
    disk,
    `select u.account_id as account, u.objects, u.bytes, count(o.oid) as found, coalesce(sum(o.reserved), 0) as sum
     from media_usage u left join media_object o on o.account_id = u.account_id group by u.account_id`,
  );
  for (const { account, objects: count, bytes, found, sum } of usages)
    if (count !== found || bytes !== sum)
      judge.violated(
        'objects',
        `account ${account} uses ${count} objects of ${bytes} bytes; its rows have ${found} of ${sum}`,
      );
}

/** Lets the time pass after which unfinished uploads are given up, and sweeps. */
async function sweep(simulation: Simulation): Promise<void> {
  const { schedule, gateways, image } = simulation;
  schedule.now += limits.uploadWindowMs.value + 1;
  const { media } = present(gateways[0], 'gateway').slices;
  for (const id of image.accountIds) await simulation.drive(media.sweep.account(id), 'the sweep of an account');
  await simulation.drive(media.sweep.bytes(), 'the sweep of bytes');
}
