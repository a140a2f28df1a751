import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { reportSources, spammerReasons } from '@sealpost/contract';
import { startServer, type TestServer } from '@sealpost/dev-env/harness';
import { operator } from '@sealpost/dev-env/people';
import { opened } from './opened.ts';

let server: TestServer;
before(async () => {
  server = await startServer();
});
after(() => server.close());

interface StoredReport {
  readonly reportSource: number;
  readonly spammerReasons: readonly number[];
  readonly abuseMessages?: readonly { readonly message?: string; readonly messageId: string }[];
  readonly metadata: { readonly userMid: string; readonly displayName?: string };
}

async function reports() {
  const { reports: found } = await operator(server).listReports();
  return found.toReversed().map(({ reportedMid, report }) => ({ reportedMid, ...(report as StoredReport) }));
}

test('a user is reported with what the profile shows', async () => {
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const ann = await opened(server, alice);
  await ann.contacts.add(bob.mid);
  await ann.synced();
  await ann.reports.user(bob.mid, ['SCAM', 'ADVERTISING']);
  const [report] = await reports();
  assert.equal(report?.reportedMid, bob.mid);
  assert.deepEqual(report.metadata, { userMid: bob.mid, displayName: 'bob', statusMessage: '' });
  assert.deepEqual(report.spammerReasons, [spammerReasons.SCAM, spammerReasons.ADVERTISING]);
  assert.equal(report.reportSource, reportSources.FRIEND_PROFILE);
});

test('sealed messages are reported with their texts, in one report for each sender and chat', async () => {
  const [alice, bob, carol] = [await server.user('alice'), await server.user('bob'), await server.user('carol')];
  const ann = await opened(server, alice);
  const [ben, cid] = [await opened(server, bob), await opened(server, carol)];
  const room = await ann.chats.createRoom([bob.mid, carol.mid]);
  await Promise.all([ann.synced(), ben.synced(), cid.synced()]);
  assert.equal((await ben.messaging.sendText(alice.mid, 'buy this')).sealed, true);
  await ben.messaging.sendText(room, 'buy that');
  await cid.messaging.sendText(room, 'and that');
  await ann.synced();
  const messages = [...(await ann.replica.messages(bob.mid)), ...(await ann.replica.messages(room))];
  const before = (await reports()).length;
  await ann.reports.messages(messages, ['HARASSMENT']);
  const told = (await reports()).slice(before);
  assert.deepEqual(
    told
      .map(({ reportedMid, reportSource, abuseMessages }) => [
        reportedMid,
        reportSource,
        abuseMessages?.map(({ message }) => message).join(),
      ])
      .sort(),
    [
      [bob.mid, reportSources.DIRECT_CHAT_SELECTED, 'buy this'],
      [bob.mid, reportSources.ROOM_CHAT_SELECTED, 'buy that'],
      [carol.mid, reportSources.ROOM_CHAT_SELECTED, 'and that'],
    ].sort(),
  );
});

test('many messages of one sender are reported in several reports', async () => {
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const ann = await opened(server, alice);
  for (let n = 0; n < 150; n++) await bob.client.sendText(alice.mid, `text ${n}`);
  await ann.synced();
  const messages = await ann.replica.messages(bob.mid, { limit: 200 });
  const before = (await reports()).length;
  await ann.reports.messages(messages, ['OTHER']);
  const sizes = (await reports()).slice(before).map(({ abuseMessages }) => abuseMessages?.length);
  assert.deepEqual(sizes, [100, 50]);
});
