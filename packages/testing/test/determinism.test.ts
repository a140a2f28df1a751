// The same seed gives the same bytes: ids, tokens, keys, times, and every answer.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRpcClient } from '@sealpost/sdk';
import { startTestServer, type TestServer } from '@sealpost/testing';

/** Plays one story, and returns everything that went over the wire. */
async function wireOf(server: TestServer): Promise<string[]> {
  const alice = await server.login('alice');
  const client = createRpcClient({ url: server.url, session: { mid: alice.mid, tokens: alice } });
  const [, bob] = server.accounts;
  await client.TalkService.sendMessage(2, { to: bob?.mid ?? '', text: 'one', contentType: 0 });
  await server.clock.advance('1h');
  await client.TalkService.createChat({ reqSeq: 3, type: 0, name: 'Group', targetUserMids: [bob?.mid ?? ''] });
  await client.TalkService.getRSAKeyInfo(1);
  await client.TalkService.getProfile(0);
  client.close();
  return server.requests().map(({ answer, headers, id, time, body }) => {
    const sent = headers.filter(([name]) => /^x-(svc|hmac)/i.test(name ?? ''));
    return JSON.stringify({ id, time, body, sent, answer });
  });
}

async function storyOf(seed: number): Promise<string[]> {
  await using server = await startTestServer({ seed, accounts: ['alice', 'bob'] });
  return await wireOf(server);
}

test('two runs with one seed have the same bytes on the wire, and another seed has others', async () => {
  const first = await storyOf(7);
  assert.equal(first.length, 4);
  assert.deepEqual(await storyOf(7), first);
  const other = await storyOf(8);
  for (const [at, bytes] of other.entries()) assert.notEqual(bytes, first[at]);
});

test('servers side by side do not change each other', async () => {
  const alone = await storyOf(3);
  const beside = await Promise.all(Array.from({ length: 4 }, (_, n) => storyOf(n < 2 ? 3 : 100 + n)));
  for (const story of beside.slice(0, 2)) assert.deepEqual(story, alone);
  assert.equal(new Set(beside.map(String)).size, 3);
});

test('a reset and a fork go on as the first run did', async () => {
  await using server = await startTestServer({ seed: 5, accounts: ['alice', 'bob'] });
  const first = await wireOf(server);
  await server.reset();
  // The numbers of calls go on, because they number what the server saw.
  const numbered = (story: readonly string[]) => story.map((line) => line.replace(/"id":\d+/, ''));
  assert.deepEqual(numbered(await wireOf(server)), numbered(first));
  await server.reset();
  const fork = await server.fork('start');
  assert.deepEqual(numbered(await wireOf(fork)), numbered(first));
  assert.notEqual(fork.url, server.url);
});
