// More logins than the server can check at once. The server tells the excess clients to try again, and messages
// continue.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createRawClient, outcomeOf, type RawClient } from '@sealpost/conformance/testing';
import { type ErrorName, errors, pathOf } from '@sealpost/contract';
import { databases, startServer, type TestServer } from '@sealpost/dev-env/harness';
import { quickCrypto } from '@sealpost/dev-env/quick-crypto';
import { systemPorts } from '../../../src/platform/kernel/system.ts';

const LOGINS = 400;
/** The number of clients that log in. Each has a few connections. */
const CLIENTS = 25;
const SENDS = 20;
/** The number of requests for login keys. It is higher than the number that may wait for a key pair. */
const CROWD = 300;
const OTHERS = 3;

for (const database of databases) {
  describe(`a storm of logins on ${database}`, () => {
    let server: TestServer;
    let clients: RawClient[];
    /** While true, each login key takes as long as in production. */
    let slowKeys = false;
    const slowCrypto = {
      ...quickCrypto,
      makeRsaPair: (bits: number) => (slowKeys ? systemPorts.slowCrypto : quickCrypto).makeRsaPair(bits),
    };
    before(async () => {
      server = await startServer({
        database,
        servers: 1,
        flags: { 'trusted-proxies': 'loopback' },
        ports: { slowCrypto },
      });
      clients = Array.from({ length: CLIENTS }, () => createRawClient({ url: server.url }));
    });
    after(async () => {
      for (const client of clients) client.close();
      await server.close();
    });

    test('logins beyond the queue are refused with an error that says come again, and sends go on', async () => {
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

    test('an address that asks for more login keys than can wait holds up no other address', async () => {
      const askFrom = async (address: string, client: RawClient) => {
        const headers = { 'X-Forwarded-For': address };
        return outcomeOf(await client.send(pathOf('TalkService.getRSAKeyInfo'), { body: '[1]', headers }));
      };
      slowKeys = true;
      let answered = 0;
      let full = () => {};
      const isFull = new Promise<void>((resolve) => {
        full = resolve;
      });
      const crowd = Promise.all(
        Array.from({ length: CROWD }, async (_, n) => {
          const outcome = await askFrom('203.0.113.7', clients[n % CLIENTS] as RawClient);
          if (outcome === 'OK') answered += 1;
          else full();
          return outcome;
        }),
      );
      await isFull;
      const others = await Promise.all(
        Array.from({ length: OTHERS }, (_, n) => askFrom(`198.51.100.${n}`, clients[n] as RawClient)),
      );
      assert.deepEqual(others, Array(OTHERS).fill('OK'));
      assert.ok(answered < CROWD / 4, `they waited for ${answered} keys of the crowd`);
      // The rest of the crowd needs no long wait: its answers are the same.
      slowKeys = false;
      assert.deepEqual([...new Set(await crowd)].sort(), ['OK', 'SERVER_BUSY']);
    });
  });
}
