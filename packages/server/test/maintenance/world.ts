// A server with some of everything, for the tests of backup, restore, verify and move.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { chatTypes, contentTypes } from '@sealpost/contract';
import {
  createDatabase,
  type DatabaseKind,
  type ObjectsKind,
  startServer,
  type TestServer,
  type TestUser,
} from '@sealpost/dev-env/harness';
import { objectClient } from '@sealpost/dev-env/object-client';
import { importPack } from '@sealpost/dev-env/packs';
import { sealingUser } from '@sealpost/dev-env/sealing-user';
import type { RpcClient } from '@sealpost/sdk';
import pg from 'pg';
import type { ConfigSources } from '../../src/start/config/sources.ts';

export interface World {
  readonly server: TestServer;
  readonly alice: TestUser;
  readonly bob: TestUser;
  readonly carol: TestUser;
  readonly chatMid: string;
  /** The ids of two messages from alice to bob. */
  readonly messageIds: readonly string[];
  /** The path of a file that alice sent to bob, and its bytes. */
  readonly file: { readonly path: string; readonly bytes: string };
  readonly databaseUrl: string;
  /** The settings with which commands find the data. */
  readonly sources: ConfigSources;
  /** Changes the database behind the back of the server. */
  exec(text: string): Promise<void>;
  close(): Promise<void>;
}

type Flags = Readonly<Record<string, string>>;

export const sourcesOf = (flags: Flags): ConfigSources => ({ flags, env: {} });

/** Returns the first event of a stream that starts at a revision. */
export async function firstEvent(client: RpcClient, from: number) {
  const stop = new AbortController();
  for await (const event of client.operations({ from: String(from), signal: stop.signal })) {
    stop.abort();
    return event;
  }
  return undefined;
}

/** A folder that is removed at the end of a test. */
export function temporary(t: { after(run: () => void): void }): string {
  const folder = mkdtempSync(join(tmpdir(), 'sealpost-maintenance-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** An empty database of a kind. */
export async function emptyDatabase(
  kind: DatabaseKind,
  folder: string,
  name = 'other',
): Promise<{ url: string; drop(): Promise<void> }> {
  if (kind === 'postgres') return createDatabase();
  return { url: `sqlite:${join(folder, `${name}.db`)}`, drop: async () => {} };
}

export async function createWorld(database: DatabaseKind, objects: ObjectsKind = 'disk'): Promise<World> {
  const own = database === 'postgres' ? await createDatabase() : undefined;
  const bucket = objects === 's3' ? await (await import('@sealpost/dev-env/s3-server')).makeBucket() : undefined;
  const flags = { ...(own && { 'database-url': own.url }), ...bucket?.flags };
  const server = await startServer({ flags });
  const [alice, bob, carol] = [await server.user('alice'), await server.user('bob'), await server.user('carol')];
  const [ann, ben] = [await sealingUser(await server.user('ann')), await sealingUser(await server.user('ben'))];
  await ben.renew();
  await ann.send(await ann.sealFor(ben.mid, 'sealed'));
  const talk = alice.client.TalkService;
  const { chat } = await talk.createChat({
    ...{ reqSeq: 10, type: chatTypes.GROUP, name: 'Tea', targetUserMids: [bob.mid, carol.mid] },
  });
  await bob.client.TalkService.acceptChatInvitation({ reqSeq: 11, chatMid: chat.chatMid });
  const first = await talk.sendMessage(20, { to: bob.mid, contentType: contentTypes.NONE, text: 'one' });
  const second = await talk.sendMessage(21, { to: bob.mid, contentType: contentTypes.NONE, text: 'two' });
  await talk.sendMessage(22, { to: chat.chatMid, contentType: contentTypes.NONE, text: 'to all' });
  const { id } = await talk.sendMessage(23, { to: bob.mid, contentType: contentTypes.FILE });
  const file = { path: `/r/talk/m/${id}`, bytes: 'the bytes of the file'.repeat(50) };
  await objectClient(server).post(alice, file.path, file.bytes);
  await importPack(server, { name: 'Dots', pictures: ['dot', 'spot'] });
  const path = join(server.dataDir, 'sealpost.db');
  const client = own && new pg.Client({ connectionString: own.url });
  await client?.connect();
  let closing: Promise<void> | undefined;
  async function close(): Promise<void> {
    await client?.end();
    await server.close();
    bucket?.close();
    await own?.drop();
  }
  return {
    ...{ server, alice, bob, carol, file, chatMid: chat.chatMid, messageIds: [first.id, second.id] },
    databaseUrl: own?.url ?? `sqlite:${path}`,
    sources: sourcesOf({ ...flags, 'data-dir': server.dataDir }),
    async exec(text) {
      if (client) return void (await client.query(text));
      const connection = new DatabaseSync(path, { timeout: 5_000 });
      connection.exec(text);
      connection.close();
    },
    close() {
      closing ??= close();
      return closing;
    },
  };
}
