// The drill of an operator: a server under load is saved, killed, restored elsewhere and checked, and its clients go on.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { contentTypes, type Message } from '@sealpost/contract';
import { seed } from '@sealpost/dev-env/chance';
import { run } from '@sealpost/dev-env/command';
import { createDatabase } from '@sealpost/dev-env/harness';
import { places } from '@sealpost/dev-env/places';
import { adminToken, startServer } from '@sealpost/dev-env/server-process';
import { makeCall, type Player } from '@sealpost/dev-env/workload/calls';
import { nameOf } from '@sealpost/dev-env/workload/cast';
import { createWorkload } from '@sealpost/dev-env/workload/workload';
import { createRpcClient, type RpcClient } from '@sealpost/sdk';
import { createAdminClient } from '@sealpost/sdk/admin';
import pg from 'pg';

type Flags = Readonly<Record<string, string>>;
const COMMANDS = 160;
const BEFORE_BACKUP = 80;

const asArgs = (flags: Flags): string[] => Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value]);

/** Runs a command that must succeed, and returns what it printed with --json. */
async function command<T>(args: readonly string[], flags: Flags): Promise<T> {
  const { code, out, err } = await run({}, [...args, '--json', ...asArgs(flags)]);
  assert.equal(code, 0, `${args.join(' ')}: ${err}${out}`);
  return JSON.parse(out) as T;
}

/** The settings of an empty place for a server. */
async function emptyPlace(t: TestContext, { database, objects }: (typeof places)[number]): Promise<Flags> {
  const dataDir = mkdtempSync(join(tmpdir(), 'sealpost-drill-'));
  t.after(() => rmSync(dataDir, { recursive: true, force: true }));
  const own = database === 'postgres' ? await createDatabase() : undefined;
  t.after(() => own?.drop());
  const bucket = objects === 's3' ? await (await import('@sealpost/dev-env/s3-server')).makeBucket() : undefined;
  t.after(() => bucket?.close());
  return { 'data-dir': dataDir, ...(own && { 'database-url': own.url }), ...bucket?.flags };
}

async function createPlayers(url: string, people: number, officials: number): Promise<Player[]> {
  const operator = createAdminClient({ url, token: adminToken });
  const players: Player[] = [];
  for (let i = 0; i < people + officials; i++) {
    const [userid, password] = [nameOf(i), `the secret of ${nameOf(i)}`];
    const kind = i < people ? 'user' : 'official';
    const { mid } = await operator.createAccount({ userid, password, displayName: userid, kind });
    const client = createRpcClient({ url });
    await client.login({ identifier: userid, password });
    players.push({ client, mid, userid });
  }
  return players;
}

/** Returns the ids of all messages in a database. */
async function storedIds(flags: Flags): Promise<Set<string>> {
  const text = 'select cast(id as text) as id from message';
  const url = flags['database-url'];
  if (url === undefined) {
    const database = new DatabaseSync(join(flags['data-dir'] ?? '', 'sealpost.db'), { readOnly: true });
    const rows = database.prepare(text).all() as { id: string }[];
    database.close();
    return new Set(rows.map(({ id }) => id));
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ id: string }>(text);
  await client.end();
  return new Set(rows.map(({ id }) => id));
}

async function firstEvent(client: RpcClient, from: string) {
  const stop = new AbortController();
  for await (const event of client.operations({ from, signal: stop.signal })) {
    stop.abort();
    return event;
  }
  return undefined;
}

/** Plays a workload until a condition holds. When all commands are played, the first two people go on talking. */
function createLoad(players: readonly Player[], workload: ReturnType<typeof createWorkload>['workload']) {
  const [chatMids, messageIds] = [new Map<number, string>(), new Map<number, string>()];
  const game = { workload, players, chatMids, messageIds };
  const sent: string[] = [];
  let n = 0;
  return {
    sent,
    async until(enough: () => boolean): Promise<void> {
      for (; !enough(); n++) {
        const next = workload.commands[n];
        if (!next) {
          const [from, to] = players;
          assert.ok(from && to);
          const text = `more ${n}`;
          const message = { to: to.mid, contentType: contentTypes.NONE, text };
          sent.push((await from.client.TalkService.sendMessage(10_000 + n, message).catch(() => ({ id: '' }))).id);
          continue;
        }
        // A workload also makes calls that a server refuses.
        const reply = await makeCall(game, next, n).catch(() => undefined);
        if (reply === undefined) continue;
        if (next.do === 'send') {
          const { id } = reply as Message;
          messageIds.set(n, id);
          sent.push(id);
        }
        if (next.do === 'create') chatMids.set(n, (reply as { chat: { chatMid: string } }).chat.chatMid);
      }
    },
    get played() {
      return n;
    },
  };
}

for (const place of places) {
  test(`a drill on ${place.database} and ${place.objects}`, async (t) => {
    const [old, fresh] = [await emptyPlace(t, place), await emptyPlace(t, place)];
    const backups = fresh['objects-url']
      ? `${fresh['objects-url']}-backups`
      : mkdtempSync(join(tmpdir(), 'sealpost-drill-backups-'));
    t.after(() => rmSync(backups, { recursive: true, force: true }));
    // The bucket of the backups is at the same server, with the same key.
    const forBackup = { ...old };
    const server = await startServer(old);
    t.after(() => server.dispose());
    const { workload } = createWorkload(seed, COMMANDS);
    const players = await createPlayers(server.url, workload.people, workload.officials);
    const load = createLoad(players, workload);
    await load.until(() => load.played >= BEFORE_BACKUP);
    const acknowledged = load.sent.filter((id) => id !== '');
    assert.ok(acknowledged.length > 5);
    const revisions = await Promise.all(players.map(({ client }) => client.TalkService.getLastOpRevision()));

    let saved: { rows: number } | undefined;
    const saving = command<{ rows: number }>(['backup', backups], forBackup).then((result) => {
      saved = result;
    });
    await Promise.all([saving, load.until(() => saved !== undefined)]);
    assert.ok((saved?.rows ?? 0) > acknowledged.length);
    await server.kill();

    await command(['restore', backups], fresh);
    const verified = await command<{ findings: unknown[] }>(['verify'], fresh);
    assert.deepEqual(verified.findings, []);
    const stored = await storedIds(fresh);
    assert.deepEqual(
      acknowledged.filter((id) => !stored.has(id)),
      [],
      'a message was acknowledged, saved and lost',
    );

    const restored = await startServer(fresh);
    t.after(() => restored.dispose());
    const again = players.map(({ client: { session } }) =>
      createRpcClient({ url: restored.url, ...(session && { session }) }),
    );
    t.after(() => {
      for (const client of [...again, ...players.map((player) => player.client)]) client.close();
    });
    for (const [i, client] of again.entries()) {
      const { mid } = await client.TalkService.getProfile();
      assert.equal(mid, players[i]?.mid);
      const event = await firstEvent(client, revisions[i] ?? '0');
      assert.equal(event?.kind, 'fullSync', `the stream of ${players[i]?.userid}`);
    }
    const [from, to] = again;
    assert.ok(from && to);
    const head = await from.TalkService.getLastOpRevision();
    const { id } = await from.TalkService.sendMessage(20_000, {
      ...{ to: players[1]?.mid ?? '', contentType: contentTypes.NONE, text: 'we go on' },
    });
    const event = await firstEvent(from, head);
    assert.equal(event?.kind === 'operation' && event.operation.message?.id, id);
    assert.deepEqual((await command<{ findings: unknown[] }>(['verify'], fresh)).findings, []);
  });
}
