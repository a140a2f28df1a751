// More logins than can be checked at once: those that find no place are told to come again, and messages go on.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createRawClient, outcomeOf, type RawClient } from '@sealpost/conformance/testing';
import { type ErrorName, errors } from '@sealpost/contract';
import { databases, startServer, type TestServer } from './harness.ts';

const LOGINS = 400;
/** Each has a few connections. */
const CLIENTS = 25;
const SENDS = 20;

for (const database of databases) {
  describe(`a storm of logins on ${database}`, () => {
    let server: TestServer;
    let clients: RawClient[];
    before(async () => {
      server = await startServer({ database });
      clients = Array.from({ length: CLIENTS }, () => createRawClient({ url: server.url }));
    });
    after(async () => {
      for (const client of clients) client.close();
      await server.close();
    });

    test('those beyond the queue are refused with an error that says come again, and sends go on', async () => {
      const [alice, bob] = [await server.user('alice'), await server.user('bob')];
      let over = false;
      const storm = Promise.all(
        Array.from({ length: LOGINS }, async (_, n) => {
          const request = { type: 0, identifier: `no key ${n}`, password: '0'.repeat(512), systemName: 'Storm' };
          const client = clients[n % CLIENTS] as RawClient;
          return outcomeOf(await client.call('AuthService.loginV2', [request]));
        }),
      ).finally(() => {
        over = true;
      });
      let sentDuring = 0;
      for (let n = 0; n < SENDS; n++) {
        await alice.client.sendText(bob.mid, `message ${n}`);
        if (!over) sentDuring += 1;
      }
      const outcomes = new Set(await storm);
      const expected: ErrorName[] = ['EXCESSIVE_ACCESS', 'INVALID_IDENTITY_CREDENTIAL', 'SERVER_BUSY'];
      assert.deepEqual([...outcomes].sort(), expected);
      assert.ok(errors.SERVER_BUSY.retry && errors.EXCESSIVE_ACCESS.retry);
      assert.ok(sentDuring > 0, 'messages did not wait for the end of the storm');
    });
  });
}
