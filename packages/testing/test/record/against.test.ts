// A recorded session, sent to another server: only real differences are told.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startServer, type TestServer } from '@sealpost/dev-env/harness';
import { operator } from '@sealpost/dev-env/people';
import { until } from '@sealpost/dev-env/until';
import { createRpcClient, type RpcClient, systemPorts } from '@sealpost/sdk';
import {
  type ComparedCall,
  type RecordedExchange,
  replayAgainst,
  type SessionFile,
  startRecorder,
} from '@sealpost/testing/record';

let first: TestServer;
let second: TestServer;
let session: SessionFile;
const password = 'the password of everybody here';

/** Creates the same accounts on a server. Their mids and all other ids differ. */
async function people(server: TestServer): Promise<void> {
  for (const [userid, displayName] of [
    ['anna', 'Anna'],
    ['bert', 'Bert'],
    ['cleo', 'Cleo'],
  ] as const)
    await operator(server).createAccount({ userid, password, displayName });
}

/** Does what an app does: it looks people up, talks, makes a group, and reads. */
async function work(client: RpcClient): Promise<void> {
  await client.TalkService.getProfile();
  await client.TalkService.getServerTime();
  const bert = await client.TalkService.findContactByUserid('bert');
  const cleo = await client.TalkService.findContactByUserid('cleo');
  for (const [n, { mid }] of [bert, cleo].entries()) {
    await client.RelationService.addFriendByMid({
      reqSeq: n + 1,
      userMid: mid,
      tracking: { reference: '{}', trackingMeta: {} },
    });
  }
  await client.TalkService.getAllContactIds(0);
  await client.TalkService.getContactsV2({ targetUserMids: [bert.mid, cleo.mid] });
  const sent = await client.sendText(bert.mid, 'the first message');
  await client.TalkService.react({ reqSeq: 11, messageId: sent.id, reactionType: { predefinedReactionType: 3 } });
  await client.TalkService.getRecentMessagesV2(bert.mid, 10);
  const { chat } = await client.TalkService.createChat({
    ...{ reqSeq: 12, type: 0, name: 'Climbing', targetUserMids: [bert.mid, cleo.mid], picturePath: '' },
  });
  await client.TalkService.getChats({ chatMids: [chat.chatMid], withMembers: true, withInvitees: true });
  await client.TalkService.getMessageBoxes({ activeOnly: true });
  await client.TalkService.getLastOpRevision();
  await client.TalkService.unsendMessage(13, sent.id);
  await assert.rejects(client.TalkService.unsendMessage(14, '5'));
}

before(async () => {
  [first, second] = await Promise.all([startServer(), startServer()]);
  await people(first);
  await people(second);
  // On the other server the log of everybody is longer, and ids are further on.
  const recorder = await startRecorder({ target: first.url, ports: systemPorts });
  const client = createRpcClient({ url: recorder.url });
  await client.login({ identifier: 'anna', password });
  await work(client);
  client.close();
  await until(() => recorder.session().exchanges.every(({ answer }) => answer?.end !== 'open'), 'all exchanges ended');
  session = recorder.session();
  await recorder.close();
});
after(async () => {
  await first?.close();
  await second?.close();
});

const against = (changed: SessionFile, url = second.url) => replayAgainst(changed, { url, userid: 'anna', password });

/** Returns the calls with differences, as text. */
const told = (calls: readonly ComparedCall[]): string[] =>
  calls.flatMap(({ name, differences }) =>
    differences.map(
      ({ place, recorded, now }) => `${name} ${place}: ${JSON.stringify(recorded)}, ${JSON.stringify(now)}`,
    ),
  );

test('another server with the same people answers alike, although every id, time and token differs', async () => {
  const { calls, skipped } = await against(session);
  assert.deepEqual(told(calls), []);
  assert.deepEqual(
    calls.flatMap(({ unknownIds }) => unknownIds),
    [],
  );
  const names = calls.map(({ name }) => name);
  for (const name of ['RelationService.addFriendByMid', 'TalkService.createChat', 'TalkService.unsendMessage']) {
    assert.ok(names.includes(name), name);
  }
  assert.ok(
    skipped.every(({ reason }) => reason === 'it belongs to the login'),
    JSON.stringify(skipped),
  );
  assert.ok(skipped.some(({ name }) => name === 'AuthService.loginV2'));
  // The calls arrived: the second server has the group.
  const client = createRpcClient({ url: second.url });
  await client.login({ identifier: 'anna', password });
  const { memberChatMids } = await client.TalkService.getAllChatMids({ withMemberChats: true, withInvitedChats: true });
  assert.equal(memberChatMids.length, 1);
  client.close();
});

/** Returns the session with the answer of one method changed. */
function changedAnswer(endpoint: string, change: (text: string) => string): SessionFile {
  let count = 0;
  const changed = (exchange: RecordedExchange): RecordedExchange => {
    if (exchange.endpoint !== endpoint || !exchange.answer?.body) return exchange;
    const { answer } = exchange;
    const content = change(exchange.answer.body.content);
    if (content === exchange.answer.body.content) return exchange;
    count += 1;
    return { ...exchange, answer: { ...answer, body: { ...exchange.answer.body, content } } };
  };
  const exchanges = session.exchanges.map(changed);
  assert.equal(count, 1, `one answer of ${endpoint} has what the test changes`);
  return { ...session, exchanges };
}

test('real differences are told with their place: a value, a field, an id, an error', async () => {
  const third = await startServer();
  try {
    await people(third);
    const name = changedAnswer('TalkService.getProfile', (text) => text.replace('"Anna"', '"Annabel"'));
    const { calls } = await against(name, third.url);
    assert.deepEqual(told(calls), ['TalkService.getProfile data.displayName: "Annabel", "Anna"']);
  } finally {
    await third.close();
  }
});

const cases: readonly (readonly [
  what: string,
  endpoint: string,
  change: (text: string) => string,
  expected: RegExp,
])[] = [
  [
    'a field that is gone',
    'TalkService.createChat',
    (text) => text.replace('"chatName"', '"formerName"'),
    /^TalkService.createChat data.chat.formerName: "Climbing", undefined$/,
  ],
  [
    'a new field',
    'TalkService.createChat',
    (text) => text.replace('"chatName":"Climbing",', ''),
    /^TalkService.createChat data.chat.chatName: undefined, "Climbing"$/,
  ],
  [
    'the id of somebody else',
    'TalkService.getRecentMessagesV2',
    (text) => text.replace(/"from":"u[0-9a-f]+"/, () => `"from":"${midOf('cleo')}"`),
    /^TalkService.getRecentMessagesV2 data\[0\].from: "u/,
  ],
  [
    'an error that is now another',
    'TalkService.unsendMessage',
    (text) => text.replace(/"code":\d+,"reason"/, '"code":5,"reason"'),
    /^TalkService.unsendMessage error: "NOT_FOUND 5", "MESSAGE_NOT_FOUND \d+"$/,
  ],
  [
    'a list that is shorter now, and has another order',
    'TalkService.getAllContactIds',
    (text) => text.replace('"data":[', `"data":["u${'f'.repeat(32)}",`),
    /^TalkService.getAllContactIds data\[0\]: "uf+", undefined$/,
  ],
];

/** Returns the mid that somebody had in the recorded session. */
function midOf(userid: string): string {
  const found = session.exchanges.find(
    ({ endpoint, body }) => endpoint === 'TalkService.findContactByUserid' && body.content.includes(userid),
  );
  return JSON.parse(found?.answer?.body?.content ?? '').data.mid;
}

for (const [what, endpoint, change, expected] of cases) {
  test(`told: ${what}`, async () => {
    const server = await startServer();
    try {
      await people(server);
      const { calls } = await against(changedAnswer(endpoint, change), server.url);
      const own = told(calls).filter((line) => line.startsWith(endpoint));
      assert.match(own[0] ?? 'nothing', expected, told(calls).join('\n'));
    } finally {
      await server.close();
    }
  });
}

test('a rate limit is waited for, because the recorded client may have been slower', async () => {
  const limited = await startServer({ flags: { 'rate-read': '1+1' } });
  try {
    await people(limited);
    const waits: number[] = [];
    const timers = {
      ...systemPorts.timers,
      after: (ms: number, work: () => void) => {
        waits.push(ms);
        return systemPorts.timers.after(ms, work);
      },
    };
    const [profile] = session.exchanges.filter(({ endpoint }) => endpoint === 'TalkService.getProfile');
    assert.ok(profile);
    const exchanges = [profile, { ...profile, id: 1001 }, { ...profile, id: 1002 }];
    const options = { url: limited.url, userid: 'anna', password, timers };
    const { calls } = await replayAgainst({ ...session, exchanges }, options);
    assert.deepEqual([calls.length, told(calls)], [3, []]);
    assert.ok(waits.length > 0);
  } finally {
    await limited.close();
  }
});

test('calls of another account, streams, and calls without a whole answer are not sent, and it is said why', async () => {
  const [send] = session.exchanges.filter(({ endpoint }) => endpoint === 'TalkService.getProfile');
  assert.ok(send?.answer);
  const { answer } = send;
  const withToken = (token: string) =>
    send.headers.map(([name = '', value = '']) => [name, /-access$/i.test(name) ? token : value]);
  const extra: RecordedExchange[] = [
    { ...send, id: 1001, headers: withToken('redacted-access-token-99') },
    { ...send, id: 1002, endpoint: 'operationReceive', answer: { ...answer, events: [] } },
    { ...send, id: 1003, answer: { ...answer, end: 'cut' } },
  ];
  const { skipped } = await against({ ...session, exchanges: [...session.exchanges, ...extra] });
  const reasons = skipped.filter(({ id }) => id > 1000).map(({ reason }) => reason);
  assert.deepEqual(reasons, ['another account made it', 'it is a stream', 'its recorded answer is not complete']);
});
