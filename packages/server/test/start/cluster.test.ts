// Two servers on one database wake each other, by each bus that they can have.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { chatTypes, settingsAttributes } from '@sealpost/contract';
import type { Timers } from '@sealpost/contract/ports';
import { createDatabase } from '@sealpost/dev-env/harness';
import { failsWith } from '@sealpost/dev-env/people';
import { sealingUser } from '@sealpost/dev-env/sealing-user';
import { until } from '@sealpost/dev-env/until';
import { watchedTimers } from '@sealpost/dev-env/watched-timers';
import { createRpcClient } from '@sealpost/sdk';
import { createIpcBus, type WakeMessage } from '../../src/platform/bus/ipc.ts';
import { loadConfig } from '../../src/start/config/config.ts';
import type { Siblings } from '../../src/start/processes/siblings.ts';
import { createServer, type RunningServer } from '../../src/start/server.ts';

/** Milliseconds that a poll for operations waits if its client names no time. */
const USUAL_MS = 60_000;
const LOOKS_MS = { least: 2_000, most: 2_500 };
const FASTER = 40;

const nats = process.env.SEALPOST_TEST_NATS_URL;
const postgres = process.env.SEALPOST_TEST_POSTGRES_URL;

interface Way {
  readonly skip: string | false;
  readonly flags: Readonly<Record<string, string>>;
  /** Returns what the next server has of the others; undefined if they do not run under one supervisor. */
  readonly siblings?: () => Siblings;
}

const ways: Readonly<Record<string, Way>> = {
  NATS: { skip: !(nats && postgres) && 'needs PostgreSQL and NATS', flags: { 'bus-url': nats ?? '' } },
  'one supervisor': { skip: !postgres && 'needs PostgreSQL', flags: {}, siblings: siblingsOfOneSupervisor() },
};

/** Returns what processes have of each other. Their wake-ups pass through this process, as through a supervisor. */
function siblingsOfOneSupervisor(): () => Siblings {
  const listeners: ((message: WakeMessage) => void)[][] = [];
  return () => {
    const own: ((message: WakeMessage) => void)[] = [];
    listeners.push(own);
    const bus = createIpcBus({
      isOpen: () => true,
      send(message) {
        for (const listener of listeners.flatMap((others) => (others === own ? [] : others))) listener(message);
      },
      onWake: (listener) => void own.push(listener),
    });
    return { bus, secret: 'secret of the supervisor', parts: {}, metrics: (metrics) => metrics };
  };
}

for (const [name, way] of Object.entries(ways)) {
  describe(`two servers on one database, woken by ${name}`, { skip: way.skip }, () => testsOf(way));
}

function testsOf({ flags: ofBus, siblings }: Way): void {
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let servers: RunningServer[];
  const dataDir = mkdtempSync(join(tmpdir(), 'sealpost-cluster-'));
  const watched = watchedTimers();
  const waiting = (what: string) => until(() => watched.count(USUAL_MS) === 1, what);
  let looks = 0;
  let isLooking = true;
  /** Polls of the log and checks for ended sessions run more often than usual in this test, and are counted. */
  const every: Timers['every'] = (ms, run) => {
    if (ms < LOOKS_MS.least || ms > LOOKS_MS.most) return watched.timers.every(ms, run);
    return watched.timers.every(ms / FASTER, () => {
      if (!isLooking) return;
      looks += 1;
      run();
    });
  };
  before(async () => {
    database = await createDatabase();
    const flags = {
      port: '0',
      'data-dir': dataDir,
      'admin-token': 'admin-token-of-the-test',
      'log-level': 'silent',
      'database-url': database.url,
      ...ofBus,
    };
    servers = [];
    const ports = { timers: { ...watched.timers, every } };
    for (let i = 0; i < 2; i++) {
      const own = siblings && { siblings: siblings() };
      servers.push(await createServer(loadConfig('serve', { flags, env: {} }), { ports, ...own }));
    }
  });
  after(async () => {
    await Promise.all(servers.map((server) => server.close()));
    await database.drop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  async function account(name: string) {
    const [first] = servers as [RunningServer];
    const { id, mid } = await first.slices.accounts.create({
      userid: name,
      password: `password of ${name}`,
      displayName: name,
    });
    const { tokens } = await first.store.transact((tx) =>
      first.slices.sessions.open(tx, {
        accountId: id,
        mid,
        systemName: 'test',
        modelName: '',
        clientType: 'test',
        remoteAddress: '',
      }),
    );
    return {
      id,
      mid,
      on: (i: number) => createRpcClient({ url: servers[i]?.url as string, session: { mid, tokens } }),
    };
  }

  test('messages sent on one server arrive on a stream of the other, in order and once', async () => {
    const [alice, bob] = [await account('alice'), await account('bob')];
    const senders = [alice.on(0), alice.on(1)];
    const receiver = bob.on(1);
    const stop = new AbortController();
    const texts: string[] = [];
    const revisions: number[] = [];
    const reading = (async () => {
      for await (const event of receiver.operations({ from: '0', signal: stop.signal })) {
        if (event.kind !== 'operation') continue;
        revisions.push(Number(event.operation.revision));
        texts.push(event.operation.message?.text ?? '');
        if (texts.length === 100) stop.abort();
      }
    })();
    await Promise.all(Array.from({ length: 100 }, (_, i) => senders[i % 2]?.sendText(bob.mid, `m${i}`)));
    await reading;
    assert.equal(new Set(texts).size, 100);
    assert.deepEqual(
      revisions,
      Array.from({ length: 100 }, (_, i) => i + 1),
    );
    const stored = await receiver.TalkService.getRecentMessagesV2(alice.mid, 100);
    assert.deepEqual(stored.map((message) => message.text).reverse(), texts);
    for (const client of [...senders, receiver]) client.close();
  });

  test('a wake-up alone tells the other server of a message', async () => {
    const [alice, bob] = [await account('alice3'), await account('bob3')];
    const receiver = bob.on(1);
    const stop = new AbortController();
    const open = servers[1]?.openStreams.size ?? 0;
    isLooking = false;
    const first = receiver.operations({ from: '0', signal: stop.signal }).next();
    await until(() => servers[1]?.openStreams.size === open + 1, 'the stream is open');
    await alice.on(0).sendText(bob.mid, 'awake');
    const event = (await first).value;
    isLooking = true;
    assert.equal(event?.kind === 'operation' && event.operation.message?.text, 'awake');
    stop.abort();
  });

  test('the poll finds what no wake-up told', async () => {
    const [alice, bob] = [await account('alice2'), await account('bob2')];
    const receiver = bob.on(1);
    const stop = new AbortController();
    const open = servers[1]?.openStreams.size ?? 0;
    const first = receiver.operations({ from: '0', signal: stop.signal }).next();
    await until(() => servers[1]?.openStreams.size === open + 1, 'the stream is open');
    // The write wakes no other server, as if the bus lost the wake-up.
    const [one] = servers as [RunningServer];
    const lost = one.bus.wake;
    (one.bus as { wake: typeof lost }).wake = () => {};
    await alice.on(0).sendText(bob.mid, 'quiet');
    (one.bus as { wake: typeof lost }).wake = lost;
    const event = (await first).value;
    assert.equal(event?.kind === 'operation' && event.operation.message?.text, 'quiet');
    stop.abort();
  });

  test('a poll for operations waits its time, though the log is looked through meanwhile', async () => {
    const dave = await account('dave');
    const client = dave.on(1);
    await client.sendText(dave.mid, 'a note');
    const revision = Number(await client.TalkService.getLastOpRevision());
    const polled = client.TalkService.fetchOps(revision);
    await waiting('the poll waits');
    const before = looks;
    await until(() => looks >= before + 20, 'the log is looked through');
    assert.equal(watched.count(USUAL_MS), 1, 'the poll waits still');
    await dave.on(0).sendText(dave.mid, 'another note');
    assert.deepEqual(
      (await polled).map((operation) => operation.message?.text),
      ['another note'],
    );
    client.close();
  });

  test('a session that one server ends is refused by the other, which ends its poll', async () => {
    const carol = await account('carol');
    const [here, there] = [carol.on(0), carol.on(1)];
    await there.TalkService.getProfile();
    const polled = there.TalkService.fetchOps();
    await waiting('the poll waits');
    await here.logout();
    assert.deepEqual(await polled, []);
    await assert.rejects(
      until(async () => !(await there.TalkService.getProfile()), 'the session is refused'),
      /logged out|LOGGED_OUT/i,
    );
  });

  test('a key or a setting that changes on one server counts at once for sends on the other', async () => {
    const [one, two] = [await account('erin'), await account('frank')];
    const erin = await sealingUser({ client: one.on(0), mid: one.mid });
    const frank = await sealingUser({ client: two.on(1), mid: two.mid });
    const plain = { to: frank.mid, text: 'in the clear' };
    await assert.rejects(erin.send(plain), failsWith('E2EE_RETRY_ENCRYPT'));
    for (let round = 0; round < 5; round += 1) {
      const early = await erin.sealFor(frank.mid, 'early');
      await frank.renew();
      await assert.rejects(erin.send(early), failsWith('E2EE_UPDATE_RECEIVER_KEY'));
      const sent = await erin.send(await erin.sealFor(frank.mid, 'now'));
      assert.equal(await frank.open(sent), 'now');
      await assert.rejects(one.on(1).send({ ...early, chunks: sent.chunks as string[] }), failsWith('DUPLICATED'));
    }
    const { chat } = await erin.user.client.TalkService.createChat({
      reqSeq: 0,
      type: chatTypes.ROOM,
      targetUserMids: [frank.mid],
    });
    await frank.makeGroupKey(chat.chatMid);
    const early = await erin.sealInto(chat.chatMid, 'early');
    await frank.renew();
    await assert.rejects(erin.send(early), failsWith('E2EE_RECREATE_GROUP_KEY'));
    await erin.makeGroupKey(chat.chatMid);
    await frank.send(await frank.sealInto(chat.chatMid, 'for all'));
    const off = [settingsAttributes.E2EE_ENABLE];
    await frank.user.client.TalkService.updateSettingsAttributes2(90, off, { e2eeEnable: false });
    assert.equal((await erin.send(plain)).text, 'in the clear');
  });

  test('servers that register keys at once write one log, and sign it with one key', async () => {
    const [one, two] = [await account('grace'), await account('heidi')];
    const clients = [one.on(0), one.on(1), two.on(0), two.on(1)];
    const register = (client: (typeof clients)[number]) =>
      client.TalkService.registerE2EEPublicKey(0, { keyData: randomBytes(32).toString('base64') });
    await Promise.all(clients.flatMap((client) => [register(client), register(client), register(client)]));
    const [here, there] = await Promise.all(
      [clients[0], clients[1]].map((c) => c?.KeyTransparencyService.getTreeHead()),
    );
    assert.ok(here && there);
    assert.deepEqual([there.treeSize, there.rootHash, there.publicKey], [here.treeSize, here.rootHash, here.publicKey]);
    const entries = await clients[0]?.KeyTransparencyService.getEntries({ after: 0 });
    assert.deepEqual(
      entries?.map((entry) => entry.keyId),
      Array.from({ length: here.treeSize }, (_, i) => i + 1),
    );
    for (const client of clients) client.close();
  });
}
