import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { startServer } from '@sealpost/dev-env/harness';
import { objectClient } from '@sealpost/dev-env/object-client';
import { admin, operator } from '@sealpost/dev-env/people';
import { places } from '@sealpost/dev-env/places';
import { watchedTimers } from '@sealpost/dev-env/watched-timers';
import { pino } from 'pino';
import type { ObjectState } from '../../../src/platform/objects/objects.ts';
import { removeBytes } from '../../../src/slices/media/remove-objects.ts';
import { createSweep } from '../../../src/slices/media/sweep.ts';

const DAY_MS = 86_400_000;
const SWEEP_MS = 5_000;

/** Returns timers for a server that runs no sweep by itself. */
function withoutSweep() {
  const { timers, hold } = watchedTimers();
  hold(SWEEP_MS);
  return timers;
}

for (const { database, objects: place } of places) {
  test(`on ${database} and ${place}, abandoned uploads, unnamed bytes and expired media are removed; pictures and the bytes of others stay`, async () => {
    let days = 0;
    const clock = { now: () => Date.now() + days * DAY_MS, monotonic: () => performance.now() };
    const server = await startServer({
      database,
      objects: place,
      flags: { 'media-days': '30' },
      ports: { clock, timers: withoutSweep() },
    });
    const objects = objectClient(server);
    const alice = await server.user('alice');
    const { sweep } = server.server.slices.media;
    const bytes = await server.openObjects();
    const count = async () =>
      (await bytes.page('published', '', 100)).length + (await bytes.page('unpublished', '', 100)).length;
    const pass = async () => {
      const { id } = (await server.server.slices.accounts.show(alice.mid)) as { id: number };
      await sweep.account(id);
      await sweep.bytes();
    };

    const message = await alice.client.TalkService.sendMessage(5, { to: alice.mid, contentType: 14 });
    await objects.post(alice, `/r/talk/m/${message.id}`, 'kept for a while');
    const started = `/r/talk/emf/reqid-${randomUUID()}`;
    await objects.post(alice, started, 'begun', { Range: 'bytes 0-4/100' });
    const [lost, foreign] = [
      `a${randomBytes(16).toString('hex').slice(1)}`,
      `5${randomBytes(16).toString('hex').slice(1)}`,
    ];
    for (const key of [lost, foreign]) {
      await bytes.append(key, 0, [[Buffer.from('x')]]);
      await bytes.publish(key);
    }
    assert.equal(await count(), 4);
    await pass();
    assert.equal(await count(), 4);
    assert.equal((await objects.get(alice, `${started}/info.obs`)).json().status, 'incompleted');

    days = 2;
    await pass();
    assert.equal(await count(), 2);
    const expired = (days: number) => operator(server).countExpiredMedia({ days });
    assert.deepEqual(await expired(1), { days: 1, objects: 1, bytes: 16 });
    assert.deepEqual(await expired(30), { days: 30, objects: 0, bytes: 0 });
    assert.equal((await admin(server, 'GET', '/media/expired')).status, 400);

    days = 31;
    await pass();
    assert.equal(await count(), 1);
    await bytes.close();
    await server.close();
  });
}

for (const { database, objects: place } of places) {
  test(`on ${database} and ${place}, an upload that goes on after the sweep has found it keeps its object`, async (t) => {
    let days = 0;
    const clock = { now: () => Date.now() + days * DAY_MS, monotonic: () => performance.now() };
    const server = await startServer({ database, objects: place, ports: { clock, timers: withoutSweep() } });
    const bytes = await server.openObjects();
    t.after(async () => {
      await bytes.close();
      await server.close();
    });
    const objects = objectClient(server);
    const alice = await server.user('alice');
    const { id: accountId } = (await server.server.slices.accounts.show(alice.mid)) as { id: number };
    const { store } = server.server;
    const { id } = await alice.client.TalkService.sendMessage(5, { to: alice.mid, contentType: 14 });
    const sealed = () => `/r/talk/emf/reqid-${randomUUID()}`;
    const [ended, goneOn, abandoned] = [`/r/talk/m/${id}`, sealed(), sealed()];
    for (const path of [ended, goneOn, abandoned]) {
      await objects.post(alice, path, '12345', { Range: 'bytes 0-4/15' });
    }

    days = 2;
    const later = { ...alice, client: await alice.session() };
    const goOn = async () => {
      assert.equal((await objects.post(later, goneOn, '67890', { Range: 'bytes 5-9/15' })).status, 200);
      assert.equal((await objects.post(later, ended, '67890abcde', { Range: 'bytes 5-14/15' })).status, 201);
    };
    const removals: Promise<void>[] = [];
    const sweep = createSweep({
      ...{ objects: bytes, clock, logger: pino({ level: 'silent' }) },
      ...{ mediaDays: 0, quarantineDays: 1, sweepPercent: 1 },
      orderedBefore: async () => 0,
      loseContent: async () => {},
      holdMessages: async () => {},
      forgetBytes: (key) => void removals.push(removeBytes(store, bytes, key)),
      store: {
        ...store,
        read: (work) => store.read(work),
        // The transaction of the sweep begins after the uploads went on.
        transact: async (work) => {
          await goOn();
          return store.transact(work);
        },
      },
    });
    await sweep.account(accountId);
    await Promise.all(removals);

    assert.equal((await objects.get(later, ended)).body.toString(), '1234567890abcde');
    assert.equal((await objects.post(later, goneOn, 'abcde', { Range: 'bytes 10-14/15' })).status, 201);
    const left = async (state: ObjectState) => (await bytes.page(state, '', 100)).length;
    assert.deepEqual([await left('published'), await left('unpublished'), await left('quarantined')], [2, 0, 0]);
  });
}

for (const { database, objects: place } of places) {
  test(`on ${database} and ${place}, complete bytes without a row wait in quarantine, many at once stay, and named ones come back`, async (t) => {
    let days = 0;
    const clock = { now: () => Date.now() + days * DAY_MS, monotonic: () => performance.now() };
    const lines: { msg: string; [field: string]: unknown }[] = [];
    const logger = pino({ level: 'info' }, { write: (line) => void lines.push(JSON.parse(line)) });
    const server = await startServer({ database, objects: place, ports: { clock, timers: withoutSweep() }, logger });
    const bytes = await server.openObjects();
    t.after(async () => {
      await bytes.close();
      await server.close();
    });
    const objects = objectClient(server);
    const alice = await server.user('alice');
    const { sweep } = server.server.slices.media;
    const keysOf = async (state: ObjectState) => (await bytes.page(state, '', 100)).map(({ key }) => key);
    const told = () => lines.splice(0).filter(({ msg }) => /quarantine|sweep/.test(msg));

    const { id } = await alice.client.TalkService.sendMessage(5, { to: alice.mid, contentType: 14 });
    await objects.post(alice, `/r/talk/m/${id}`, 'of a message');
    const [named = ''] = await keysOf('published');
    const lost = Array.from({ length: 11 }, () => `a${randomBytes(16).toString('hex').slice(1)}`);
    for (const key of lost) {
      await bytes.append(key, 0, [[Buffer.from(key)]]);
      await bytes.publish(key);
    }

    days = 2;
    await sweep.bytes();
    await sweep.bytes();
    assert.equal((await keysOf('published')).length, 12);
    assert.deepEqual(
      told().map(({ level, unnamed, seen }) => ({ level, unnamed, seen })),
      [{ level: 50, unnamed: 11, seen: 12 }],
    );

    await bytes.remove(lost.pop() as string);
    await sweep.bytes();
    assert.deepEqual(await keysOf('published'), [named]);
    assert.deepEqual(await keysOf('quarantined'), lost.toSorted());
    assert.deepEqual(
      told().map(({ level, quarantined, seen }) => ({ level, quarantined, seen })),
      [{ level: 30, quarantined: 10, seen: 11 }],
    );

    // The test moves the clock by days, so the first session expires. This function opens another one.
    const later = async () => ({ ...alice, client: await alice.session() });
    await bytes.quarantine(named);
    assert.equal((await objects.get(await later(), `/r/talk/m/${id}`)).body.toString(), 'of a message');
    assert.deepEqual(await keysOf('published'), [named]);
    await bytes.quarantine(named);
    await sweep.bytes();
    assert.deepEqual(await keysOf('published'), [named]);
    assert.deepEqual(await keysOf('quarantined'), lost.toSorted());

    days = 6;
    await sweep.bytes();
    assert.equal((await keysOf('quarantined')).length, 10);
    days = 8;
    await sweep.bytes();
    assert.deepEqual(await keysOf('quarantined'), []);
    assert.deepEqual(await keysOf('published'), [named]);
    assert.equal((await objects.get(await later(), `/r/talk/m/${id}`)).status, 200);
  });
}
