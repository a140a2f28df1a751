// What stays of a deleted account: a search of every table, every column and every object for all that the account ever
// told the server.
import assert from 'node:assert/strict';
import { createECDH, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, type TestContext, test } from 'node:test';
import { createRawClient } from '@sealpost/conformance/testing';
import {
  contactSettings,
  contentTypes,
  httpPaths,
  predefinedReactionTypes,
  profileAttributes,
  reportSources,
  spammerReasons,
} from '@sealpost/contract';
import { createDatabase, databases, startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { objectClient } from '@sealpost/dev-env/object-client';
import { pngOf } from '@sealpost/dev-env/packs';
import { account, operator } from '@sealpost/dev-env/people';
import { until } from '@sealpost/dev-env/until';
import pg from 'pg';

type Row = Readonly<Record<string, unknown>>;
type Tables = ReadonlyMap<string, readonly Row[]>;

/** Reads every table of the database, from its own list of tables. */
async function everyTable(server: TestServer, url: string | undefined): Promise<Tables> {
  if (url === undefined) {
    const database = new DatabaseSync(join(server.dataDir, 'sealpost.db'), { readOnly: true });
    const names = database.prepare("select name from sqlite_master where type = 'table'").all();
    const tables = names.map(({ name }) => [String(name), database.prepare(`select * from "${name}"`).all()] as const);
    database.close();
    return new Map(tables);
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows: names } = await client.query("select tablename as name from pg_tables where schemaname = 'public'");
  const tables = new Map<string, Row[]>();
  for (const { name } of names) tables.set(name, (await client.query(`select * from "${name}"`)).rows);
  await client.end();
  return tables;
}

/** Returns where a text is, as `table.column`. */
const placesOf = (tables: Tables, text: string): string[] =>
  [...tables].flatMap(([table, rows]) => [
    ...new Set(
      rows.flatMap((row) =>
        Object.entries(row).flatMap(([column, value]) => (String(value).includes(text) ? [`${table}.${column}`] : [])),
      ),
    ),
  ]);

/** Returns all long texts in rows that belong to an account: its keys, digests of its tokens, names of its objects. */
function textsOf(tables: Tables, accountId: number): string[] {
  const texts: string[] = [];
  for (const [table, rows] of tables) {
    if (KEPT_TABLES.has(table)) continue;
    for (const row of rows.filter((candidate) => Number(candidate.account_id ?? candidate.owner_id) === accountId)) {
      for (const [column, value] of Object.entries(row)) {
        if (typeof value === 'string' && value.length >= 16 && !/^\d+$/.test(value) && column !== 'chat_mid')
          texts.push(value);
      }
    }
  }
  return texts;
}

/** Tables whose rows of a deleted account stay on purpose, each with the reason. */
const KEPT_TABLES = new Map([
  ['e2ee_key', 'others still read sealed messages of the account, for which they need its public keys'],
  ['e2ee_group_key_share', 'a key of a group, wrapped so that only the account could open it; it names nobody'],
]);

/** The places where the mid of a deleted account stays, each with the reason. */
const MID_STAYS = new Map([
  ['account.mid', 'the tombstone: no other account ever gets the mid'],
  ['message.body', 'messages that others received keep their sender'],
  ['message_box.chat_mid', 'the chat of another account with it, which that account still reads'],
  ['operation.param1', 'logs of others tell who left; they are kept for operation-days'],
  ['operation.param2', 'the same'],
  ['audit.subject', 'what the operator did, and to whom'],
  ['audit.detail', 'the same'],
  ['request.result', 'answers to changes of others, which are kept for a day'],
]);

const NAME = 'Canary Name Zebra';
const secrets = {
  status: 'canary status walrus',
  notes: 'canary note to self',
  withheld: 'canary withheld by a block',
  override: 'canary bobs name',
  accused: 'canary text of a report about her',
  accuses: 'canary text of a report by her',
  endpoint: 'https://push.example.org/canary-endpoint',
  backup: Buffer.from('canary backup of keys').toString('base64'),
  email: 'canary.zebra@example.org',
  phone: '+819012345678',
};
const SAID = 'canary said to bob';
const FILE = 'canary bytes of a file';

for (const database of databases) {
  describe(`what stays of a deleted account on ${database}`, () => {
    async function started(t: TestContext) {
      const postgres = database === 'postgres' ? await createDatabase() : undefined;
      const server = await startServer(postgres ? { flags: { 'database-url': postgres.url } } : {});
      t.after(async () => {
        await server.close();
        await postgres?.drop();
      });
      return { server, tables: () => everyTable(server, postgres?.url) };
    }

    async function live(server: TestServer) {
      const ann = await account(server, { email: secrets.email, phone: secrets.phone });
      server.atEnd(() => ann.close());
      const [bob, dave] = [await server.user('bob'), await server.user('dave')];
      const { TalkService } = ann.client;
      const seq = () => ann.client.nextReqSeq();
      const attribute = (name: keyof typeof profileAttributes, value: string) =>
        TalkService.updateProfileAttributes(seq(), { profileAttributes: { [profileAttributes[name]]: { value } } });
      await attribute('DISPLAY_NAME', NAME);
      await attribute('STATUS_MESSAGE', secrets.status);
      const raw = createRawClient({ url: server.url });
      const token = ann.client.session?.tokens.accessToken ?? '';
      const headers = { 'X-Svc-Access': token };
      const picture = { body: pngOf('canary'), token, headers: { 'Content-Type': 'image/png' } };
      assert.equal((await raw.send(`${httpPaths.uploadProfile}?mid=${ann.mid}`, picture)).status, 200);
      raw.close();
      await ann.client.KeyBackupService.putBackup({ expectedVersion: 0, blob: secrets.backup });
      await ann.client.PushService.subscribe({
        endpoint: secrets.endpoint,
        p256dh: createECDH('prime256v1').generateKeys().toString('base64url'),
        auth: randomBytes(16).toString('base64url'),
      });
      await TalkService.findAndAddContactsByMid(seq(), 0, [bob.mid]);
      await bob.client.TalkService.findAndAddContactsByMid(bob.client.nextReqSeq(), 0, [ann.mid]);
      const { CONTACT_SETTING_DISPLAY_NAME_OVERRIDE: rename } = contactSettings;
      await bob.client.TalkService.updateContactSetting(bob.client.nextReqSeq(), ann.mid, rename, secrets.override);
      await dave.client.TalkService.blockContact(dave.client.nextReqSeq(), ann.mid);
      await TalkService.sendMessage(seq(), { to: ann.mid, text: secrets.notes });
      await TalkService.sendMessage(seq(), { to: dave.mid, text: secrets.withheld });
      await TalkService.sendMessage(seq(), { to: bob.mid, text: SAID });
      const group = { reqSeq: seq(), type: 0 as const, name: 'Tea', targetUserMids: [bob.mid] };
      const { chatMid } = (await TalkService.createChat(group)).chat;
      await bob.client.TalkService.acceptChatInvitation({ reqSeq: bob.client.nextReqSeq(), chatMid });
      const file = await TalkService.sendMessage(seq(), { to: chatMid, contentType: contentTypes.FILE });
      const stored = await objectClient(server).send('POST', `/r/talk/m/${file.id}`, undefined, {
        headers: { ...headers, 'Content-Type': 'application/octet-stream' },
        body: FILE,
      });
      assert.equal(stored.status, 201);
      await report(ann.client, bob.mid, secrets.accuses);
      await report(bob.client, ann.mid, secrets.accused);
      await TalkService.registerE2EEPublicKey(seq(), {
        version: 1,
        keyId: 0,
        keyData: randomBytes(32).toString('base64'),
        createdTime: '0',
      });
      return { ann, bob };
    }

    const report = (client: TestUser['client'], userMid: string, message: string) =>
      client.TalkService.reportAbuseEx({
        abuseReportEntry: {
          message: {
            reportSource: reportSources.DIRECT_CHAT,
            applicationType: 368,
            spammerReasons: [spammerReasons.SCAM],
            abuseMessages: [{ messageId: '1', message, contentType: 0, createdTime: '5' }],
            metadata: { displayName: 'M', userMid },
          },
        },
      });

    test('nothing but what a list with reasons names', async (t) => {
      const { server, tables } = await started(t);
      const { ann, bob } = await live(server);
      const { id } = (await server.server.slices.accounts.show(ann.mid)) as { id: number };
      const before = await tables();
      const own = textsOf(before, id);
      const keys = (before.get('media_object') ?? []).map((row) => String(row.object_key));
      assert.ok(keys.length > 0 && own.length > 10, 'the account has little to find');
      const planted = [NAME, ann.userid, ...Object.values(secrets)];
      for (const text of planted) assert.notDeepEqual(placesOf(before, text), [], `${text} is nowhere`);

      await operator(server).deleteAccount({ account: ann.mid });

      const after = await tables();
      const found = (text: string) => placesOf(after, text).filter((place) => place !== 'request.result');
      for (const text of planted) assert.deepEqual(found(text), [], text);
      const others = own.filter((text) => text !== ann.mid && !bobKeeps(before, text, id));
      for (const text of others) assert.deepEqual(found(text), [], text);
      assert.deepEqual(found(SAID), ['message.body']);
      const unexplained = placesOf(after, ann.mid).filter((place) => !MID_STAYS.has(place));
      assert.deepEqual(unexplained, []);

      const objects = await server.openObjects();
      try {
        for (const state of ['unpublished', 'published', 'quarantined'] as const) {
          await until(
            async () => !(await objects.page(state, '', 1_000)).some(({ key }) => keys.includes(key)),
            `an object of the account is still ${state}`,
          );
        }
      } finally {
        await objects.close();
      }
      const kept = await bob.client.TalkService.getRecentMessagesV2(ann.mid, 5);
      assert.deepEqual(
        kept.map((message) => message.text),
        [SAID],
      );
    });

    /** Returns whether a text is also in rows of somebody else, so that it says nothing about the account. */
    const bobKeeps = (tables: Tables, text: string, id: number): boolean =>
      [...tables].some(
        ([table, rows]) =>
          !KEPT_TABLES.has(table) &&
          rows.some(
            (row) =>
              Number(row.account_id ?? row.owner_id ?? id) !== id && Object.values(row).some((value) => value === text),
          ),
      );

    test('a reaction that was withheld from everybody else goes', async (t) => {
      const { server, tables } = await started(t);
      const [ann, bob] = [await server.user('ann'), await server.user('bob')];
      const { id: messageId } = await ann.client.sendText(bob.mid, SAID);
      await bob.client.TalkService.blockContact(bob.client.nextReqSeq(), ann.mid);
      const reactionType = { predefinedReactionType: predefinedReactionTypes.LOVE };
      await ann.client.TalkService.react({ reqSeq: ann.client.nextReqSeq(), messageId, reactionType });
      assert.equal((await tables()).get('reaction')?.length, 1);
      await operator(server).deleteAccount({ account: ann.mid });
      assert.deepEqual((await tables()).get('reaction'), []);
    });

    test('the chat of two deleted accounts goes with the second one', async (t) => {
      const { server, tables } = await started(t);
      const [ann, bob] = [await server.user('ann'), await server.user('bob')];
      await ann.client.sendText(bob.mid, SAID);
      await operator(server).deleteAccount({ account: ann.mid });
      assert.deepEqual(placesOf(await tables(), SAID), ['message.body']);
      await operator(server).deleteAccount({ account: bob.mid });
      const left = await tables();
      assert.deepEqual(placesOf(left, SAID), []);
      assert.deepEqual(left.get('message_location'), []);
    });
  });
}
