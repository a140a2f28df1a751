// One server of two processes, as an operator runs it: on PostgreSQL and without NATS. The tests follow each other, and
// the last one ends the server.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { runChecks, selectChecks } from '@sealpost/conformance';
import { type RunningCommand, start } from '@sealpost/dev-env/command';
import { createDatabase } from '@sealpost/dev-env/harness';
import { adminToken } from '@sealpost/dev-env/server-process';
import { until } from '@sealpost/dev-env/until';
import { createRpcClient, GatewayError, NetworkError, type RpcClient } from '@sealpost/sdk';
import { createAdminClient } from '@sealpost/sdk/admin';

const PROCESSES = 2;
/** So many that they are hardly ever all at the same process. */
const STREAMS = 12;
/** Sends that are answered before and after something happens to a process. */
const SENDS = 30;
const skip = !process.env.SEALPOST_TEST_POSTGRES_URL && 'needs PostgreSQL';
const unlimited = ['send', 'write', 'read', 'lookup', 'login'].map((name) => `rate-${name}: 1000000+100000`);

describe('a server of two processes', { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'sealpost-processes-'));
  const readyFile = join(folder, 'ready.json');
  const settingsFile = join(folder, 'sealpost.yaml');
  const clients: RpcClient[] = [];
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let server: RunningCommand;
  let url: string;
  let alice: Person;
  let bob: Person;

  before(async () => {
    database = await createDatabase();
    settings();
    server = start({ SEALPOST_ADMIN_TOKEN: adminToken }, ['serve', '--config', settingsFile]);
    await server.until(/"all processes serve"/);
    await until(() => existsSync(readyFile), 'the server is announced');
    ({ url } = JSON.parse(readFileSync(readyFile, 'utf8')) as { url: string });
    [alice, bob] = [await person('alice'), await person('bob')];
  });
  after(async () => {
    for (const client of clients) client.close();
    server?.child.kill('SIGKILL');
    await server?.finished;
    await database?.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  interface Person {
    readonly mid: string;
    readonly client: RpcClient;
  }

  /** Writes the settings of the server. */
  function settings(...more: string[]): void {
    const lines = [
      ...[`processes: ${PROCESSES}`, 'port: 0', `data-dir: ${join(folder, 'data')}`, `ready-file: ${readyFile}`],
      ...[`database-url: ${database.url}`, 'login-confirmation: never', 'registration: closed', ...unlimited, ...more],
    ];
    // A later line replaces an earlier one of the same setting.
    const byName = new Map(lines.map((line) => [line.split(':')[0], line]));
    writeFileSync(settingsFile, `${[...byName.values()].join('\n')}\n`);
  }

  async function person(userid: string): Promise<Person> {
    const password = `password of ${userid}`;
    const { mid } = await createAdminClient({ url, token: adminToken }).createAccount({
      ...{ userid, password, displayName: userid },
    });
    const client = createRpcClient({ url });
    clients.push(client);
    await client.login({ identifier: userid, password });
    return { mid, client };
  }

  /** Answers a request that comes over a connection of its own. The connections go to the processes in turn. */
  const ask = (
    path: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<{ status: number; body: string }> =>
    new Promise((resolve, reject) =>
      get(url + path, { agent: false, headers }, (response) => {
        text(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject);
      }).on('error', reject),
    );

  async function metric(series: string): Promise<number> {
    const { body } = await ask('/metrics', { authorization: `Bearer ${adminToken}` });
    return Number(
      body
        .split('\n')
        .find((line) => line.startsWith(`${series} `))
        ?.slice(series.length + 1),
    );
  }

  async function ready(): Promise<Record<string, unknown>> {
    return JSON.parse((await ask('/readyz')).body) as Record<string, unknown>;
  }
  // A process that is killed takes the connections with it that it has just been given.
  const allWork = () => until(async () => (await ready().catch(() => undefined))?.status === 'ok', 'all work');

  /** Returns the ids of the processes that serve. */
  function workers(): number[] {
    const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
    const rows = stdout.split('\n').map((line) => line.trim().split(/\s+/).map(Number));
    return rows.flatMap(([pid, parent]) => (pid && parent === server.child.pid ? [pid] : []));
  }

  /** Sends messages one after another while `happen` runs, and returns the texts that were acknowledged. */
  async function sendDuring(name: string, happen: () => unknown): Promise<string[]> {
    const acknowledged: string[] = [];
    let ending = false;
    const load = (async () => {
      for (let n = 0; !ending; n += 1) {
        await sendUntilAnswered(`${name} ${n}`);
        acknowledged.push(`${name} ${n}`);
      }
    })();
    const more = async (): Promise<void> => {
      const goal = acknowledged.length + SENDS;
      await until(() => acknowledged.length >= goal, 'sends are acknowledged');
    };
    await more();
    await happen();
    await more();
    ending = true;
    await load;
    return acknowledged;
  }

  let reqSeq = 1_000_000;
  /** Repeats a send under the same number, as a client does, until the server answers. */
  async function sendUntilAnswered(message: string): Promise<void> {
    reqSeq += 1;
    for (;;) {
      try {
        await alice.client.TalkService.sendMessage(reqSeq, { to: bob.mid, text: message, contentType: 0 });
        return;
      } catch (error) {
        // A repetition cures a connection that broke, and a refusal that says so. Any other is a failure of the test.
        if (!(error instanceof NetworkError || (error instanceof GatewayError && error.retry))) throw error;
      }
    }
  }

  /** Returns the texts that bob has from alice, in their order, from the log of operations. */
  async function received(prefix: string): Promise<string[]> {
    const head = await bob.client.TalkService.getLastOpRevision();
    const texts: string[] = [];
    const stop = new AbortController();
    for await (const event of bob.client.operations({ from: '0', signal: stop.signal })) {
      if (event.kind !== 'operation') continue;
      texts.push(event.operation.message?.text ?? '');
      if (Number(event.operation.revision) >= Number(head)) break;
    }
    stop.abort();
    return texts.filter((one) => one.startsWith(prefix));
  }

  test('the supervisor tells once where the server is, with one link for the first administrator', async () => {
    const out = await server.until(/Next: {2}sealpost account create/);
    assert.equal(out.match(/^ {2}Gateway /gm)?.length, 1);
    assert.equal(out.match(/^ {2}Setup /gm)?.length, 1);
    assert.equal(workers().length, PROCESSES);
    const announced = JSON.parse(readFileSync(readyFile, 'utf8')) as { pid: number };
    assert.equal(announced.pid, server.child.pid);
  });

  test('readiness tells the state of each process', async () => {
    const { status, 'process-1': one, 'process-2': two, required } = await ready();
    assert.deepEqual([status, one, two, required], ['ok', 'ok', 'ok', ['database', 'objects', 'disk']]);
  });

  test('the metrics are the sums of all processes', async () => {
    const series = 'sealpost_calls_total{endpoint="GET /version",outcome="OK"}';
    for (let n = 0; n < 7; n += 1) assert.equal((await ask('/version')).status, 200);
    // Each process answers the same, whichever is asked.
    assert.deepEqual([await metric(series), await metric(series), await metric(series)], [7, 7, 7]);
    assert.equal(await metric('sealpost_part_ready{part="process-2"}'), 1);
  });

  test('streams at all processes get a message at once, and some of them live on when one process is killed', async () => {
    const states: string[] = [];
    const got: string[] = [];
    const stop = new AbortController();
    const from = await bob.client.TalkService.getLastOpRevision();
    const read = async (n: number): Promise<void> => {
      const onState = ({ state }: { state: string }) => states.push(`${n} ${state}`);
      for await (const event of bob.client.operations({ from, signal: stop.signal, onState })) {
        if (event.kind === 'operation') got.push(`${n} ${event.operation.message?.text}`);
      }
    };
    const reading: Promise<void>[] = [];
    // Streams that are opened together may all come to one process while the other is busy.
    for (let n = 0; n < STREAMS; n++) {
      reading.push(read(n));
      await until(() => states.includes(`${n} online`), `stream ${n} is open`);
    }
    await until(async () => (await metric('sealpost_streams')) === STREAMS, 'all streams are counted');
    const before = await metric('sealpost_bus_wakeups_total{direction="received"}');
    await sendUntilAnswered('to all streams');
    await until(() => got.length === STREAMS, 'every stream has the message');
    // A process that is busy tells its newest numbers a moment later.
    const wakeUps = () => metric('sealpost_bus_wakeups_total{direction="received"}');
    await until(async () => (await wakeUps()) > before, 'the other process was woken');

    process.kill(workers()[0] as number, 'SIGKILL');
    await sendUntilAnswered('after the kill');
    await until(() => got.length === 2 * STREAMS, 'every stream has the second message');
    const lost = new Set(states.filter((state) => state.endsWith('degraded')));
    assert.ok(lost.size > 0 && lost.size < STREAMS, `${lost.size} of ${STREAMS} streams broke`);
    assert.equal(new Set(got).size, 2 * STREAMS, 'each stream has each message once');
    stop.abort();
    await Promise.all(reading);
    await allWork();
  });

  test('a process that is killed under load is started again, and nothing acknowledged is lost', async () => {
    const restarts = await metric('sealpost_process_restarts_total');
    const sends = 'sealpost_calls_total{endpoint="TalkService.sendMessage",outcome="OK"}';
    const counted = await metric(sends);
    const old = workers();
    const acknowledged = await sendDuring('kill', async () => {
      for (const pid of old) {
        const before = workers();
        process.kill(pid, 'SIGKILL');
        await until(() => !workers().includes(pid) && workers().length === before.length, 'another is started');
        await allWork();
      }
    });
    assert.deepEqual(await received('kill'), acknowledged);
    assert.equal(await metric('sealpost_process_restarts_total'), restarts + PROCESSES);
    assert.ok((await metric(sends)) >= counted, 'counters do not go back');
  });

  test('a reload under load replaces all processes, and loses no call that a repetition does not cure', async () => {
    assert.equal((await ask('/admin')).status, 200);
    settings('admin-pages: false');
    const old = workers();
    const acknowledged = await sendDuring('reload', async () => {
      server.child.kill('SIGHUP');
      await server.until(/"reload: all processes of this server are new"/);
    });
    assert.deepEqual(await received('reload'), acknowledged);
    assert.deepEqual(
      workers().filter((pid) => old.includes(pid)),
      [],
    );
    assert.equal(workers().length, PROCESSES);
    for (let n = 0; n < PROCESSES; n += 1) assert.equal((await ask('/admin')).status, 404, 'the new setting counts');
  });

  test('a reload with settings that cannot be used, or that need a start, changes nothing', async () => {
    const old = workers();
    settings('log-level: loud');
    server.child.kill('SIGHUP');
    await server.until(/log-level is .*the reload failed/);
    settings('bus-url: nats://127.0.0.1:1');
    server.child.kill('SIGHUP');
    await server.until(/a reload cannot change bus-url.*the reload failed/);
    const { url: address } = database;
    settings(`database-url: ${address.replace(/\/\/([^/]*@)?/, '//somebody-else@')}`);
    server.child.kill('SIGHUP');
    await server.until(/a reload cannot change database-url.*the reload failed/);
    assert.deepEqual(workers(), old);
  });

  test('a process that is started again after a reload that failed has the settings from before', async () => {
    const old = workers();
    settings('admin-pages: true');
    await database.set('synchronous_commit', 'off');
    server.child.kill('SIGHUP');
    await server.until(/PostgreSQL runs with synchronous_commit=off.*the reload failed/);
    await until(() => workers().join() === old.join(), 'the process that could not start is gone, and no other');
    await database.set('synchronous_commit', 'on');
    for (const pid of old) process.kill(pid, 'SIGKILL');
    await until(() => !workers().some((pid) => old.includes(pid)), 'all are new');
    await allWork();
    assert.equal(workers().length, PROCESSES);
    for (let n = 0; n < PROCESSES; n += 1) assert.equal((await ask('/admin')).status, 404);
  });

  test('two processes pass the checks of a conforming server', async () => {
    const { outcomes } = await runChecks({
      target: { url, brand: 'Svc', buildToken: 'sealpost-dev', signature: 'strict' },
      admin: createAdminClient({ url, token: adminToken }),
      checks: selectChecks().filter(({ id }) => /^(messaging|sync|chats|sessions)\b/.test(id)),
    });
    const failed = outcomes.flatMap(({ check, failure }) => (failure ? [{ id: check.id, ...failure }] : []));
    assert.deepEqual(failed, []);
    assert.ok(outcomes.length > 0);
  });

  test('SIGTERM to all processes at once ends them after their drain, and the supervisor with 0', async () => {
    settings('admin-pages: false', 'drain-seconds: 5');
    const before = workers();
    server.child.kill('SIGHUP');
    await until(() => !workers().some((pid) => before.includes(pid)), 'all processes are new');
    await allWork();
    const all = workers();
    assert.equal(all.length, PROCESSES);
    // A terminal and some units signal each process.
    for (const pid of all) process.kill(pid, 'SIGTERM');
    server.child.kill('SIGTERM');
    const status = async () => (await ask('/readyz').catch(() => undefined))?.status;
    await until(async () => (await status()) === 503, 'the port still answers');
    const { code, out } = await server.finished;
    assert.equal(code, 0);
    assert.match(out, /"all processes have ended"/);
    for (const pid of all) assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
    assert.equal(existsSync(readyFile), false);
    assert.equal(existsSync(join(folder, 'data/server.json')), false);
  });
});
