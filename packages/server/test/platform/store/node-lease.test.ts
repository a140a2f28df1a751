import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createDatabase, startServer, type TestServer } from '@sealpost/dev-env/harness';
import { failsWith } from '@sealpost/dev-env/people';
import pg from 'pg';
import { maxNodes } from '../../../src/platform/kernel/ids.ts';

const skip = !process.env.SEALPOST_TEST_POSTGRES_URL && 'needs PostgreSQL';

describe('the node number of a server', { skip, timeout: 30_000 }, () => {
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let server: TestServer;
  /** Connection that holds node numbers, as other servers do. */
  let other: pg.Client;
  let operator: pg.Client;
  before(async () => {
    database = await createDatabase();
    server = await startServer({ flags: { 'database-url': database.url } });
    other = new pg.Client({ connectionString: database.url });
    operator = new pg.Client({ connectionString: database.url });
    await Promise.all([other.connect(), operator.connect()]);
  });
  after(async () => {
    await Promise.all([other.end(), operator.end()]);
    await server.close();
    await database.drop();
  });

  const take = (number: number) => other.query("select pg_advisory_lock(hashtext('sealpost.node'), $1)", [number]);
  const giveBack = (number: number) =>
    other.query("select pg_advisory_unlock(hashtext('sealpost.node'), $1)", [number]);
  /** Ends the connection that holds a number, once another connection waits for the number. */
  async function endHolderOf(number: number): Promise<void> {
    const locks = `from pg_locks where locktype = 'advisory' and objid = ${number} and database =
      (select oid from pg_database where datname = current_database())`;
    while ((await operator.query(`select 1 ${locks} and not granted`)).rows.length === 0);
    await operator.query(`select pg_terminate_backend(pid) ${locks} and granted`);
  }
  const ready = async (status: number) => {
    for (;;) {
      const answer = await fetch(`${server.url}/readyz`);
      if (answer.status === status) return answer.json() as Promise<{ database: string }>;
    }
  };

  test('differs from the number of a second server', async () => {
    const beside = await startServer({ flags: { 'database-url': database.url } });
    const nodeOf = ({ server: { slices } }: TestServer) =>
      slices.accounts.create({ userid: crypto.randomUUID(), password: 'correct horse', displayName: 'D' });
    const numbers = [await nodeOf(server), await nodeOf(beside)].map(({ id }) => Math.floor(id / 256) % maxNodes);
    await beside.close();
    assert.deepEqual(numbers, [0, 1]);
  });

  test('is lost with its connection: nothing is sent until the server holds another number, and ids keep rising', async () => {
    const [alice, bob] = [await server.user('alice'), await server.user('bob')];
    const send = (reqSeq: number) => alice.client.TalkService.sendMessage(reqSeq, { to: bob.mid, text: 'hello' });
    const first = Number((await send(10)).id);
    for (let number = 1; number < maxNodes; number++) await take(number);
    // `other` waits for the server's number 0. So it gets that number before the server can take it again.
    const waiting = take(0);
    await endHolderOf(0);
    await waiting;
    assert.match((await ready(503)).database, /unavailable; the log says why/);
    await assert.rejects(send(11), failsWith('OVERLOADED'));
    assert.equal((await bob.client.TalkService.getRecentMessagesV2(alice.mid, 10)).length, 1);

    await giveBack(7);
    await ready(200);
    const second = Number((await send(11)).id);
    assert.ok(second > first);
    assert.equal(Math.floor(second / 256) % maxNodes, 7);
  });
});
