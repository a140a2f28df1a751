// What the sweep of media removes, at both edges of each period.
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { describe, type TestContext, test } from 'node:test';
import { createRawClient } from '@sealpost/conformance/testing';
import { contentTypes, httpPaths, limits } from '@sealpost/contract';
import { startServer, type TestUser } from '@sealpost/dev-env/harness';
import { accessToken, objectClient } from '@sealpost/dev-env/object-client';
import { pngOf } from '@sealpost/dev-env/packs';
import { operator } from '@sealpost/dev-env/people';
import { places } from '@sealpost/dev-env/places';
import { virtualTime } from '@sealpost/dev-env/virtual-time';
import { watchedTimers } from '@sealpost/dev-env/watched-timers';
import { pino } from 'pino';
import { timeOfId } from '../../../src/platform/kernel/ids.ts';
import type { ObjectState, Objects } from '../../../src/platform/objects/objects.ts';
import { sql } from '../../../src/platform/store/sql.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const SWEEP_MS = 5_000;
/** A sweep may always remove this many objects, even if they are a large share of all objects. */
const FEW = 10;

const objectPlaces = sql<{ place: string }>('select distinct place from media_object order by place');

const newKey = (): string => `a${randomBytes(16).toString('hex').slice(1)}`;

for (const { database, objects: place } of places) {
  describe(`media on ${database} and ${place}`, () => {
    async function started(t: TestContext, flags: Readonly<Record<string, string>> = {}) {
      // The objects' times come from the machine's clock. The server's clock starts an hour earlier, and the test moves
      // it forward.
      const clock = virtualTime(Date.now() - HOUR_MS);
      const { timers, hold } = watchedTimers();
      hold(SWEEP_MS);
      const lines: { msg: string }[] = [];
      const logger = pino({ level: 'error' }, { write: (line) => void lines.push(JSON.parse(line)) });
      const server = await startServer({ database, objects: place, flags, ports: { clock, timers }, logger });
      const bytes = await server.openObjects();
      t.after(async () => {
        await bytes.close();
        await server.close();
      });
      const { sweep } = server.server.slices.media;
      const alice = await server.user('alice');
      const { id } = (await server.server.slices.accounts.show(alice.mid)) as { id: number };
      return {
        server,
        clock,
        bytes,
        sweep,
        alice,
        objects: objectClient(server),
        /** Returns the account's objects that remain after a sweep. */
        async kept(): Promise<string[]> {
          await sweep.account(id);
          const rows = await server.server.store.read((reader) => reader.all(objectPlaces));
          return rows.map((row) => row.place);
        },
        to: (time: number) => clock.move(time - clock.now()),
        warnings: () => lines.splice(0).filter(({ msg }) => msg.startsWith('the sweep of objects stopped')).length,
      };
    }
    /** Returns the same account with a session that has not expired. */
    const now = async (user: TestUser) => ({ ...user, client: await user.session() });
    const keysOf = async (bytes: Objects, state: ObjectState) =>
      (await bytes.page(state, '', 100)).map(({ key }) => key);
    /** Returns the time from which an object is older than `ms` milliseconds. */
    async function endOf(bytes: Objects, state: ObjectState, key: string, ms: number): Promise<number> {
      const found = (await bytes.page(state, '', 100)).find((object) => object.key === key);
      return Math.ceil(found?.changedTime ?? assert.fail(`${key} is not ${state}`)) + ms;
    }

    test('an upload that nobody goes on with is kept for a day', async (t) => {
      const { alice, clock, kept, objects } = await started(t);
      const part = { Range: 'bytes 0-4/10' };
      const path = `/r/talk/emf/reqid-${randomUUID()}`;
      assert.equal((await objects.post(alice, path, 'begun', part)).status, 200);
      clock.move(limits.uploadWindowMs.value);
      assert.deepEqual(await kept(), ['talk/emf']);
      assert.equal((await objects.get(await now(alice), `${path}/info.obs`)).json().status, 'incompleted');
      clock.move(1);
      assert.deepEqual(await kept(), []);
    });

    test('an object that has not come may come for a day after its message', async (t) => {
      const { alice, objects, to } = await started(t);
      const { id } = await alice.client.TalkService.sendMessage(1, { to: alice.mid, contentType: contentTypes.FILE });
      const end = timeOfId(Number(id)) + limits.uploadWindowMs.value;
      const status = async () => (await objects.get(await now(alice), `/r/talk/m/${id}`)).status;
      to(end - 1);
      assert.equal(await status(), 202);
      to(end);
      assert.equal(await status(), 404);
    });

    test('what info.obs tells readers of an object that never comes: not there, and after a day 404', async (t) => {
      const { server, alice, objects, to } = await started(t);
      const reader = await server.user('bob');
      const message = { to: reader.mid, contentType: contentTypes.FILE };
      const { id } = await alice.client.TalkService.sendMessage(1, message);
      const end = timeOfId(Number(id)) + limits.uploadWindowMs.value;
      const info = async (user: TestUser) => objects.get(await now(user), `/r/talk/m/${id}/info.obs`);
      to(end - 1);
      assert.equal((await info(reader)).json().status, 'notexist');
      to(end);
      assert.equal((await info(reader)).status, 404);
      assert.equal((await info(alice)).json().status, 'notexist');
    });

    test('bytes that nothing names go after a day: those of uploads at once, whole ones to quarantine', async (t) => {
      const { bytes, sweep, to } = await started(t);
      for (const state of ['unpublished', 'published'] as const) {
        const key = newKey();
        await bytes.append(key, 0, [[Buffer.from('x')]]);
        if (state === 'published') await bytes.publish(key);
        const end = await endOf(bytes, state, key, limits.uploadWindowMs.value);
        to(end - 1);
        await sweep.bytes();
        assert.deepEqual(await keysOf(bytes, state), [key]);
        to(end);
        await sweep.bytes();
        assert.deepEqual(await keysOf(bytes, state), []);
        assert.deepEqual(await keysOf(bytes, 'quarantined'), state === 'published' ? [key] : []);
      }
    });

    test('the quarantine lasts as many days as were set', async (t) => {
      const { bytes, sweep, to } = await started(t, { 'quarantine-days': '2' });
      const key = newKey();
      await bytes.append(key, 0, [[Buffer.from('x')]]);
      await bytes.publish(key);
      await bytes.quarantine(key);
      const end = await endOf(bytes, 'quarantined', key, 2 * DAY_MS);
      to(end - 1);
      await sweep.bytes();
      assert.deepEqual(await keysOf(bytes, 'quarantined'), [key]);
      to(end);
      await sweep.bytes();
      assert.deepEqual(await keysOf(bytes, 'quarantined'), []);
    });

    test('media of messages are kept for as many days as were set, pictures of profiles for ever', async (t) => {
      const { alice, clock, kept, objects, server } = await started(t, { 'media-days': '3' });
      const { id } = await alice.client.TalkService.sendMessage(1, { to: alice.mid, contentType: contentTypes.FILE });
      const raw = createRawClient({ url: server.url });
      const picture = { body: pngOf('alice'), token: accessToken(alice), headers: { 'Content-Type': 'image/png' } };
      assert.equal((await raw.send(`${httpPaths.uploadProfile}?mid=${alice.mid}`, picture)).status, 200);
      raw.close();
      await objects.post(alice, `/r/talk/m/${id}`, 'of a message');
      const counted = async () => (await operator(server).countExpiredMedia({ days: 3 })).objects;
      clock.move(3 * DAY_MS);
      assert.deepEqual([await counted(), await kept()], [0, ['talk/m', 'talk/p']]);
      clock.move(1);
      assert.deepEqual([await counted(), await kept()], [1, ['talk/p']]);
    });

    test('a sweep that stops says so again after an hour', async (t) => {
      const { bytes, sweep, to, warnings } = await started(t);
      const keys = Array.from({ length: FEW + 1 }, newKey);
      for (const key of keys) {
        await bytes.append(key, 0, [[Buffer.from('x')]]);
        await bytes.publish(key);
      }
      const ends = await Promise.all(keys.map((key) => endOf(bytes, 'published', key, limits.uploadWindowMs.value)));
      const end = Math.max(...ends);
      const told: number[] = [];
      for (const time of [end, end + HOUR_MS - 1, end + HOUR_MS]) {
        to(time);
        await sweep.bytes();
        told.push(warnings());
      }
      assert.deepEqual(told, [1, 0, 1]);
      assert.equal((await keysOf(bytes, 'published')).length, FEW + 1);
    });
  });
}
