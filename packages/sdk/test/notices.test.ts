import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startServer, type TestServer } from '@sealpost/dev-env/harness';
import { operator } from '@sealpost/dev-env/people';
import { opened } from './opened.ts';
import { recordedFetch } from './recorded-fetch.ts';

/** More notices than a page of the server has. */
const MANY = 120;

let server: TestServer;
before(async () => {
  server = await startServer();
});
after(() => server.close());

test('all notices are read, whatever the size of a page, and later only the new ones', async () => {
  const api = operator(server);
  const publish = (title: string, language?: string) =>
    api.publishNotice({ title, body: 'the text', ...(language !== undefined && { language }) });
  for (let n = 0; n < MANY; n++) await publish(`notice ${n}`);
  await publish('eine Nachricht', 'de');
  const recorded = recordedFetch();
  const client = await opened(server, await server.user(), { fetch: recorded.fetch });
  const { notices, nextSeq } = await client.notices.read();
  assert.deepEqual(
    notices.map(({ title, body }) => [title, body]),
    Array.from({ length: MANY }, (_, n) => [`notice ${n}`, 'the text']),
  );
  assert.ok(recorded.to('/notice').length > 2);
  await publish('a later one');
  const later = await client.notices.read({ after: nextSeq });
  assert.deepEqual(
    later.notices.map(({ title }) => title),
    ['a later one'],
  );
  const german = await client.notices.read({ language: 'de' });
  assert.ok(german.notices.some(({ title }) => title === 'eine Nachricht'));
});

test('the client knows the time of the server, its configurations and limits, and what the account keeps there', async () => {
  const client = await opened(server, await server.user());
  assert.ok(Math.abs((await client.serverTime()) - Date.now()) < 3600_000);
  assert.equal((await client.configurations())['limit.chat.members'], '500');
  assert.equal((await client.limits()).chatMembers, 500);
  const identity = await client.encryptedIdentity();
  assert.deepEqual(identity, await client.encryptedIdentity());
  assert.ok(identity.wrappedNonce.length > 0);
});
