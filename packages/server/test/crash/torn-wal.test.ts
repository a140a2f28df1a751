import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { seed } from '@sealpost/dev-env/chance';
import { repeats, timeFor } from '@sealpost/dev-env/repeats';
import { createRandom } from '@sealpost/dev-env/workload/random';
import { systemPorts } from '../../src/platform/kernel/system.ts';
import { openSqlite } from '../../src/platform/store/sqlite.ts';
import { startKillableServer } from './killable-server.ts';
import type { Person } from './server-with-crash-points.ts';
import { call } from './wire.ts';

const SENDS = 120;
const IMAGES = repeats(150);
const MOST_GARBAGE = 8192;
const random = createRandom(seed);

/** Reads what a copy of the database contains of each send, in the order of message ids. */
const TRACES = `
  select m.body, (select count(*) from operation o where o.message_id = m.id) as operations,
    (select count(o.session_id) from operation o where o.message_id = m.id) as requests,
    (select count(*) from message_location l where l.id = m.id) as locations
  from message m order by m.id`;
const HEADS = 'select sum(revision) as raised from operation_head';

/**
 * Sends `SENDS` messages, kills the server, and copies its database to the folder. Returns the size of the WAL after
 * each answered send, and the sum of all revisions before the sends.
 */
async function sendsOneByOne(folder: string): Promise<{ sizes: number[]; raisedBefore: number }> {
  const server = await startKillableServer('sqlite');
  try {
    const [sender, recipient] = (await server.people(2)) as [Person, Person];
    const url = await server.url();
    const file = join(server.dataDir, 'sealpost.db');
    const sizes: number[] = [];
    for (let n = 1; n <= SENDS; n++) {
      await call(url, sender, 'sendMessage', [n + 1, { to: recipient.mid, text: String(n), contentType: 0 }]);
      sizes.push(statSync(`${file}-wal`).size);
    }
    await server.kill();
    // The WAL index is not copied, because it does not survive a loss of power.
    cpSync(file, join(folder, 'sealpost.db'));
    cpSync(`${file}-wal`, join(folder, 'sealpost.db-wal'));
    const raisedBefore = raised(join(folder, 'sealpost.db')) - 2 * SENDS;
    return { sizes, raisedBefore };
  } finally {
    await server.close();
  }
}

const LOG_HEADER = 32;
const FRAME_HEADER = 24;

/**
 * Returns the lengths that the WAL can have after a whole commit. The last frame of a commit contains the size of the
 * database.
 */
function commitsOf(log: Buffer): number[] {
  const frame = FRAME_HEADER + log.readUInt32BE(8);
  const ends = [LOG_HEADER];
  for (let at = LOG_HEADER; at + frame <= log.length; at += frame) {
    if (log.readUInt32BE(at + 4) !== 0) ends.push(at + frame);
  }
  return ends;
}

function raised(file: string): number {
  const database = new DatabaseSync(file, { readOnly: true });
  const row = database.prepare(HEADS).get() as { raised: number };
  database.close();
  return row.raised;
}

/** Returns an offset at which to cut the WAL: near the end of a commit, or anywhere. */
function cutOf(image: number, commits: readonly number[], end: number): number {
  const first = commits[0] as number;
  // Half of the cuts are near a commit, and take the commits in turn. So these cuts are spread over the whole WAL.
  const commit = commits[Math.floor(image / 4) % commits.length] as number;
  if (image % 4 === 0) return commit;
  if (image % 4 === 1) return Math.max(first, commit - 1);
  return first + random.below(end + 1 - first);
}

test(`${IMAGES} logs torn at random bytes hold exactly the sends that were durable`, {
  timeout: timeFor(120_000),
}, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'sealpost-torn-'));
  try {
    const { sizes, raisedBefore } = await sendsOneByOne(folder);
    const database = readFileSync(join(folder, 'sealpost.db'));
    const log = readFileSync(join(folder, 'sealpost.db-wal'));
    assert.equal(sizes.toSorted((a, b) => a - b).join(), sizes.join(), 'the log was started anew between two sends');
    const image = async (name: string, bytes: Buffer): Promise<string> => {
      const file = join(folder, name, 'sealpost.db');
      mkdirSync(join(folder, name));
      writeFileSync(file, database);
      writeFileSync(`${file}-wal`, bytes);
      await reopen(file);
      return file;
    };
    /**
     * `commits`: the ends of whole commits in the WAL. `sendsAt`: the number of sends in the database at each of these
     * ends. The server's other work commits too, so there are more commits than sends.
     */
    const commits = commitsOf(log).filter((end) => end >= (sizes[0] as number));
    const sendsAt = new Map<number, number>();
    for (const end of commits) {
      const file = await image(`whole-${end}`, log.subarray(0, end));
      sendsAt.set(end, messagesIn(file));
      rmSync(join(folder, `whole-${end}`), { recursive: true });
    }
    assert.equal(sendsAt.get(commits.at(-1) as number), SENDS);

    const counts = new Set<number>();
    for (let n = 0; n < IMAGES; n++) {
      const cut = cutOf(n, commits, log.length);
      const end = commits.findLast((commit) => commit <= cut) as number;
      const durable = sendsAt.get(end) as number;
      const acknowledged = sizes.filter((size) => size <= cut).length;
      assert.ok(
        durable >= acknowledged,
        `cut at ${cut}: ${acknowledged} sends were acknowledged, ${durable} are there`,
      );
      const file = await image(`torn-${n}`, Buffer.concat([log.subarray(0, cut), garbageAfter(log, cut)]));
      judge(file, durable, raisedBefore, `cut at ${cut}`);
      rmSync(join(folder, `torn-${n}`), { recursive: true });
      counts.add(durable);
    }
    t.diagnostic(`${IMAGES} images, ${counts.size} different numbers of durable sends`);
    assert.ok(counts.size > SENDS / 3, 'the cuts were not spread over the log');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/**
 * Returns random bytes to write after the cut. Their first byte differs from the original one, so that they cannot
 * restore the WAL by chance.
 */
function garbageAfter(log: Buffer, cut: number): Buffer {
  const garbage = Buffer.alloc(
    random.below(MOST_GARBAGE),
    createHash('sha512')
      .update(String(random.below(2 ** 31)))
      .digest(),
  );
  if (garbage.length > 0 && garbage[0] === log[cut]) garbage[0] = 0xff ^ (log[cut] as number);
  return garbage;
}

function messagesIn(file: string): number {
  const database = new DatabaseSync(file, { readOnly: true });
  const { count } = database.prepare('select count(*) as count from message').get() as { count: number };
  database.close();
  return count;
}

function fail(error: Error): never {
  throw error;
}

/** Opens the database as the server does at its start. */
async function reopen(file: string): Promise<void> {
  const store = openSqlite({
    ...systemPorts,
    timeCommit: () => () => {},
    path: file,
    check: 'auto',
    onNotice: () => {},
    onError: fail,
    onFatal: fail,
  });
  await store.check();
  await store.close();
}

function judge(file: string, durable: number, raisedBefore: number, where: string): void {
  const database = new DatabaseSync(file, { readOnly: true });
  const { integrity_check: integrity } = database.prepare('pragma integrity_check').get() as {
    integrity_check: string;
  };
  assert.equal(integrity, 'ok', where);
  const rows = database.prepare(TRACES).all() as {
    body: string;
    operations: number;
    requests: number;
    locations: number;
  }[];
  const { raised: heads } = database.prepare(HEADS).get() as { raised: number };
  const operations = database.prepare('select count(*) as count from operation where message_id is not null').get();
  const requests = database.prepare('select count(session_id) as count from operation').get();
  database.close();
  assert.deepEqual(
    rows.map(({ body, ...counts }) => ({ text: (JSON.parse(body) as { text: string }).text, ...counts })),
    Array.from({ length: durable }, (_, i) => ({ text: String(i + 1), operations: 2, requests: 1, locations: 1 })),
    where,
  );
  assert.deepEqual({ ...operations }, { count: 2 * durable }, where);
  assert.deepEqual({ ...requests }, { count: durable }, where);
  assert.equal(heads, raisedBefore + 2 * durable, where);
}
