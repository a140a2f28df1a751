// `verify` names each kind of damage, and finds nothing on whole data.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { databases } from '@sealpost/dev-env/harness';
import { verify } from '../../src/maintenance/verify/verify.ts';
import { migrateSqlite } from '../../src/platform/store/migrate.ts';
import { references } from '../../src/platform/store/references.ts';
import { createWorld, sourcesOf, temporary, type World } from './world.ts';

/** Damage, the statement that undoes it, and what is told about it. */
interface Damage {
  readonly what: string;
  readonly harm: string;
  readonly heal: string;
  readonly check: string;
  readonly where: RegExp;
  readonly problem: RegExp;
}

const message = '(select min(id) from message)';
const account = '(select min(id) from account)';
const session = '(select min(id) from login_session)';
const damages: readonly Damage[] = [
  {
    what: 'an operation that is lost',
    harm: `create table spare as select * from operation where account_id = ${account} and revision = 2; delete from operation where account_id = ${account} and revision = 2`,
    heal: 'insert into operation select * from spare; drop table spare',
    check: 'operation logs',
    where: /revision=2$/,
    problem: /the operation is missing/,
  },
  {
    what: 'a head that is behind its log',
    harm: `update operation_head set revision = revision - 1 where account_id = ${account}`,
    heal: `update operation_head set revision = revision + 1 where account_id = ${account}`,
    check: 'operation logs',
    where: /^operation account_id=/,
    problem: /above the head/,
  },
  {
    what: 'a first revision behind the end',
    harm: `update operation_head set first_revision = revision + 5 where account_id = ${account}`,
    heal: `update operation_head set first_revision = 1 where account_id = ${account}`,
    check: 'operation logs',
    where: /^operation_head account_id=/,
    problem: /first revision/,
  },
  {
    what: 'operations below the first revision',
    harm: `update operation_head set first_revision = revision + 1 where account_id = ${account}`,
    heal: `update operation_head set first_revision = 1 where account_id = ${account}`,
    check: 'operation logs',
    where: /^operation account_id=/,
    problem: /below the first/,
  },
  {
    what: 'a last message id that is too small',
    harm: `update operation_head set last_message_id = last_message_id - ${message} where account_id = ${account}`,
    heal: `update operation_head set last_message_id = last_message_id + ${message} where account_id = ${account}`,
    check: 'operation logs',
    where: /^operation_head account_id=/,
    problem: /last_message_id is below/,
  },
  {
    what: 'messages in the wrong order',
    harm: `create table spare as select account_id, revision, chat_id, message_id from operation where message_id = (select max(message_id) from operation);
      update operation set chat_id = (select chat_id from message where id = ${message}), message_id = ${message} where message_id = (select max(message_id) from spare)`,
    heal: `update operation set chat_id = (select min(chat_id) from spare), message_id = (select min(message_id) from spare)
      where exists (select 1 from spare where spare.account_id = operation.account_id and spare.revision = operation.revision); drop table spare`,
    check: 'operation logs',
    where: /^operation account_id=/,
    problem: /not above the one before/,
  },
  {
    what: 'a send without its message',
    harm: `create table spare as select account_id, revision, message_id from operation where session_id is not null and revision = (select min(revision) from operation where session_id is not null);
      update operation set message_id = null where exists (select 1 from spare where spare.account_id = operation.account_id and spare.revision = operation.revision)`,
    heal: `update operation set message_id = (select message_id from spare where spare.account_id = operation.account_id and spare.revision = operation.revision)
      where exists (select 1 from spare where spare.account_id = operation.account_id and spare.revision = operation.revision); drop table spare`,
    check: 'requests',
    where: /^operation account_id=/,
    problem: /points to no message/,
  },
  {
    what: 'a message that is lost',
    harm: `create table spare as select * from message where id = ${message}; delete from message where id = ${message}`,
    heal: 'insert into message select * from spare; drop table spare',
    check: 'references',
    where: /^operation chat_id=\d+ message_id=\d+|^message_location/,
    problem: /no such row in message /,
  },
  {
    what: 'the text of another message',
    harm: `create table spare as select id, body from message where id = ${message}; update message set body = '{"id":"1"}' where id = ${message}`,
    heal: 'update message set body = (select body from spare) where id = (select id from spare); drop table spare',
    check: 'messages',
    where: /^message chat_id=/,
    problem: /not that of this message/,
  },
  {
    what: 'a member without a box',
    harm: `create table spare as select b.* from message_box b join group_chat g on g.chat_id = b.chat_id; delete from message_box where chat_id in (select chat_id from group_chat)`,
    heal: 'insert into message_box select * from spare; drop table spare',
    check: 'chats',
    where: /^chat_member chat_id=/,
    problem: /no message box/,
  },
  {
    what: 'an account without a profile',
    harm: `create table spare as select * from profile where account_id = ${account}; delete from profile where account_id = ${account}`,
    heal: 'insert into profile select * from spare; drop table spare',
    check: 'accounts',
    where: /^account account_id=/,
    problem: /no profile/,
  },
  {
    what: 'an account without a log',
    harm: `create table spare as select * from operation_head where account_id = ${account}; delete from operation_head where account_id = ${account}`,
    heal: 'insert into operation_head select * from spare; drop table spare',
    check: 'accounts',
    where: /^account account_id=/,
    problem: /no operation log/,
  },
  {
    what: 'a session that is lost',
    harm: `create table spare as select * from login_session where id = ${session}; delete from login_session where id = ${session}`,
    heal: 'insert into login_session select * from spare; drop table spare',
    check: 'references',
    where: /^(access_token|refresh_family) session_id=/,
    problem: /no such row in login_session/,
  },
  {
    what: 'a token of another account',
    harm: `update access_token set account_id = (select max(id) from account) where session_id = ${session}`,
    heal: `update access_token set account_id = ${account} where session_id = ${session}`,
    check: 'sessions and tokens',
    where: /^access_token session_id=/,
    problem: /belongs to the account/,
  },
  {
    what: 'a refresh family of another account',
    harm: `update refresh_family set account_id = (select max(id) from account) where session_id = ${session}`,
    heal: `update refresh_family set account_id = ${account} where session_id = ${session}`,
    check: 'sessions and tokens',
    where: /^refresh_family session_id=/,
    problem: /belongs to the account/,
  },
  {
    what: 'a token that is newer than its family',
    harm: `update refresh_family set generation = generation - 1 where session_id = ${session}`,
    heal: `update refresh_family set generation = generation + 1 where session_id = ${session}`,
    check: 'sessions and tokens',
    where: /^access_token session_id=/,
    problem: /above the newest/,
  },
  {
    what: 'a session of a deleted account',
    harm: `update account set deleted = 1 where id = ${account}`,
    heal: `update account set deleted = 0 where id = ${account}`,
    check: 'sessions and tokens',
    where: /^login_session session_id=/,
    problem: /was deleted/,
  },
  {
    what: 'a chat of a deleted account',
    harm: `update account set deleted = 1 where id = ${account}`,
    heal: `update account set deleted = 0 where id = ${account}`,
    check: 'accounts',
    where: /^message_box account_id=/,
    problem: /was deleted/,
  },
  {
    what: 'a user id of a deleted account',
    harm: `update account set deleted = 1 where id = ${account}`,
    heal: `update account set deleted = 0 where id = ${account}`,
    check: 'accounts',
    where: /^account account_id=/,
    problem: /name to log in with/,
  },
  {
    what: 'a secret that is lost',
    harm: "create table spare as select * from server_secret where name = 'key log'; delete from server_secret where name = 'key log'",
    heal: 'insert into server_secret select * from spare; drop table spare',
    check: 'secrets',
    where: /name=key log/,
    problem: /secret is missing/,
  },
  {
    what: 'a wrong hash in the key log',
    harm: "create table spare as select hash from key_log_node where level = 1 and position = 0; update key_log_node set hash = 'AAAA' where level = 1 and position = 0",
    heal: 'update key_log_node set hash = (select hash from spare) where level = 1 and position = 0; drop table spare',
    check: 'key log',
    where: /level 1, position 0/,
    problem: /not that of the registered keys/,
  },
  {
    what: 'a node of the key log that is lost',
    harm: 'create table spare as select * from key_log_node where level = 0 and position = 1; delete from key_log_node where level = 0 and position = 1',
    heal: 'insert into key_log_node select * from spare; drop table spare',
    check: 'key log',
    where: /level 0, position 1/,
    problem: /missing/,
  },
  {
    what: 'a node too many in the key log',
    harm: "insert into key_log_node (level, position, hash) values (9, 9, 'AAAA')",
    heal: 'delete from key_log_node where level = 9',
    check: 'key log',
    where: /^key_log_node/,
    problem: /have only/,
  },
  {
    what: 'a registered key that is lost',
    harm: 'create table spare as select * from e2ee_key where key_id = 2; delete from e2ee_key where key_id = 2',
    heal: 'insert into e2ee_key select * from spare; drop table spare',
    check: 'key log',
    where: /^e2ee_key$/,
    problem: /no key with the id 2/,
  },
  {
    what: 'a counter of keys that is behind',
    harm: 'update e2ee_key_counter set last_key_id = last_key_id - 1',
    heal: 'update e2ee_key_counter set last_key_id = last_key_id + 1',
    check: 'key log',
    where: /^e2ee_key_counter/,
    problem: /the counter says/,
  },
  {
    what: 'a usage that is wrong',
    harm: 'update media_usage set bytes = bytes + 1',
    heal: 'update media_usage set bytes = bytes - 1',
    check: 'media',
    where: /^media_usage account_id=/,
    problem: /has 1 objects/,
  },
  {
    what: 'a usage that is lost',
    harm: 'create table spare as select * from media_usage; delete from media_usage',
    heal: 'insert into media_usage select * from spare; drop table spare',
    check: 'media',
    where: /^media_object account_id=/,
    problem: /not counted/,
  },
  {
    what: 'an object without a size',
    harm: 'create table spare as select max(size) as size from media_object; update media_object set size = null',
    heal: 'update media_object set size = (select size from spare); drop table spare',
    check: 'media',
    where: /^media_object account_id=/,
    problem: /no size/,
  },
];

for (const database of databases) {
  describe(`verify on ${database}`, () => {
    let world: World;
    before(async () => {
      world = await createWorld(database);
    });
    after(() => world?.close());

    test('finds nothing on whole data, whatever the server does', async () => {
      const { findings, objects, rules } = await verify({ sources: world.sources });
      assert.deepEqual(findings, []);
      assert.equal(objects, 1);
      assert.ok(rules > 70);
    });

    for (const { what, harm, heal, check, where, problem } of damages) {
      test(`names ${what}`, async () => {
        await world.exec(harm);
        const { findings } = await verify({ sources: world.sources, quick: true });
        await world.exec(heal);
        const told = findings.filter((finding) => finding.check === check && where.test(finding.where));
        assert.ok(
          told.some((finding) => problem.test(finding.problem) && finding.advice.length > 20),
          JSON.stringify(findings),
        );
      });
    }

    test('finds nothing after all this was undone', async () => {
      assert.deepEqual((await verify({ sources: world.sources, quick: true })).findings, []);
    });

    test('names every column that refers to nothing', async () => {
      // One row for each table, with numbers that belong to nobody.
      for (const table of ['reaction', 'contact', 'past_membership', 'sealed_message', 'report', 'owned_product']) {
        const columns = references[table]?.refers.flatMap((reference) => reference.columns) ?? [];
        assert.ok(columns.length > 0);
        const { text } = rowOf(table, columns);
        await world.exec(text);
        const { findings } = await verify({ sources: world.sources, quick: true });
        await world.exec(`delete from ${table} where ${columns[0]} = 77`);
        const told = findings.filter((finding) => finding.where.startsWith(`${table} `));
        assert.equal(told.length, references[table]?.refers.length, table);
      }
    });

    test('names objects that are missing, changed, or of another server', async () => {
      const { sources, server } = world;
      const folder = join(server.dataDir, 'objects');
      const [shelf = ''] = readdirSync(join(folder, 'published'));
      const [key = ''] = readdirSync(join(folder, 'published', shelf));
      const path = join(folder, 'published', shelf, key);
      const told = async (quick = false) =>
        (await verify({ sources, quick })).findings.map(({ where, problem }) => `${where}: ${problem}`);
      writeFileSync(path, 'x'.repeat(world.file.bytes.length));
      assert.match((await told()).join(), new RegExp(`object ${key} in .*: its bytes were changed`));
      assert.deepEqual(await told(true), []);
      writeFileSync(path, 'short');
      assert.match((await told()).join(), /it has 5 bytes instead of/);
      rmSync(path);
      assert.match((await told(true)).join(), /it is not there/);
      writeFileSync(path, world.file.bytes);
      writeFileSync(join(folder, 'instance'), 'another\n');
      assert.match((await told()).join(), /carry the id another/);
    });
  });
}

/** Returns an insertion of a row whose references are all 77. */
function rowOf(table: string, columns: readonly string[]): { text: string } {
  const database = new DatabaseSync(':memory:');
  migrateSqlite(database);
  const all = database.prepare(`pragma table_info(${table})`).all() as { name: string; type: string }[];
  database.close();
  const values = all.map(({ name, type }) => (columns.includes(name) ? '77' : /text/i.test(type) ? "'x'" : '5'));
  return { text: `insert into ${table} (${all.map(({ name }) => name).join(', ')}) values (${values.join(', ')})` };
}

test('a damaged file is told', async (t) => {
  const world = await createWorld('sqlite');
  t.after(() => world.close());
  const { dataDir } = world.server;
  await world.server.server.close();
  const folder = temporary(t);
  const copy = join(folder, 'sealpost.db');
  const database = new DatabaseSync(join(dataDir, 'sealpost.db'));
  database.prepare('vacuum into ?').run(copy);
  database.close();
  const bytes = readFileSync(copy);
  bytes.fill(0xff, bytes.length - 4096);
  writeFileSync(copy, bytes);
  const { findings } = await verify({
    sources: sourcesOf({ 'data-dir': folder, 'objects-url': `file:${dataDir}/objects` }),
  });
  assert.ok(
    findings.some(({ check, advice }) => check === 'database file' && /keep a copy/.test(advice)),
    JSON.stringify(findings),
  );
});

test('a database of another schema, and no database, are refused with what to do', async (t) => {
  const folder = temporary(t);
  const sources = sourcesOf({ 'data-dir': folder });
  await assert.rejects(verify({ sources }), /there is no database .*--data-dir/);
  const database = new DatabaseSync(join(folder, 'sealpost.db'));
  await assert.rejects(verify({ sources }), /no tables of a server/);
  migrateSqlite(database);
  database.exec('insert into schema_version values (9999, 0, 0)');
  database.close();
  await assert.rejects(verify({ sources }), /schema version 9999.*Use the program/);
});

test('every table says what it refers to, and every column that looks like a reference', () => {
  const database = new DatabaseSync(':memory:');
  migrateSqlite(database);
  const all = database.prepare("select name from sqlite_master where type = 'table' order by name").all() as {
    name: string;
  }[];
  const tables = all.map(({ name }) => name).filter((name) => name !== 'schema_version');
  assert.deepEqual(Object.keys(references).sort(), tables, 'list the table in platform/store/references.ts');
  for (const table of tables) {
    const columns = (database.prepare(`pragma table_info(${table})`).all() as { name: string }[]).map(
      ({ name }) => name,
    );
    const { refers = [], free = {} } = references[table] ?? {};
    const listed = [...refers.flatMap((reference) => reference.columns), ...Object.keys(free)];
    assert.deepEqual(
      listed.filter((name) => !columns.includes(name)),
      [],
      `${table} has no such columns`,
    );
    const looks = columns.filter((name) => /_id$/.test(name));
    assert.deepEqual(
      looks.filter((name) => !listed.includes(name)),
      [],
      `${table} refers to something unsaid`,
    );
    for (const { table: other, to } of refers)
      assert.doesNotThrow(() => database.prepare(`select ${to.join(', ')} from ${other}`));
  }
  database.close();
});
