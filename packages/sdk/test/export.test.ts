// The archive of an account: what is in it, what stays sealed, what is missing, and how it ends.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { type AccountExport, type ExportedMessages, errors } from '@sealpost/contract';
import { AccountExport as AccountSchema, ExportedMessages as MessagesSchema } from '@sealpost/contract/schemas';
import { startServer, type TestServer } from '@sealpost/dev-env/harness';
import { hurriedTimers } from '@sealpost/dev-env/hurried-timers';
import { pngOf } from '@sealpost/dev-env/packs';
import { cuttingProxy } from '@sealpost/dev-env/proxies/cutting';
import { filesOfZip } from '@sealpost/dev-env/zip-files';
import { createRpcClient, createSealingClient, createVerbs } from '@sealpost/sdk';
import { type ExportOptions, type ExportProgress, exportAccount, zipOf } from '@sealpost/sdk/export';
import { Compile } from 'typebox/compile';
import { aGroup, aParty, type Party, refusal, watchedCalls } from './sealing-parties.ts';
import { file } from './transfers.ts';

const isAccount = Compile(AccountSchema);
const isMessages = Compile(MessagesSchema);

async function archiveOf({ client, sealing }: Pick<Party, 'client' | 'sealing'>, options: ExportOptions = {}) {
  const parts: Uint8Array[] = [];
  for await (const part of zipOf(exportAccount({ rpc: client, sealing }, options))) parts.push(part);
  const files = await filesOfZip(Buffer.concat(parts));
  const json = (path: string): unknown => JSON.parse(files.get(path)?.toString() ?? 'null');
  const account = json('account.json') as AccountExport;
  assert.deepEqual([...isAccount.Errors(account)], []);
  const messagesIn = (chatMid: string) =>
    (account.chats.find((chat) => chat.chatMid === chatMid)?.files ?? []).flatMap((path) => {
      const read = json(path) as ExportedMessages;
      assert.deepEqual([...isMessages.Errors(read)], []);
      assert.equal(read.chatMid, chatMid);
      return read.messages;
    });
  return { files, account, messagesIn };
}

describe('the archive of an account', () => {
  let server: TestServer;
  let ann: Party;
  let ben: Party;
  before(async () => {
    server = await startServer();
    [ann, ben] = [await aParty(server, 'ann'), await aParty(server, 'ben')];
  });
  after(() => server.close());

  const say = (from: Party, to: string, text: string) => from.sealing.sendText(to, text);

  test('has the profile, the people, the chats and the messages, opened', async () => {
    const cleo = await aParty(server, 'cleo');
    const { contacts, profile } = createVerbs(ann.client);
    await contacts.add(ben.mid);
    await contacts.setFavorite(ben.mid, true);
    const stranger = await aParty(server, 'dora');
    await contacts.block(stranger.mid);
    await profile.setPicture(new Blob([new Uint8Array(pngOf('ann'))]));
    const group = await aGroup(ann, ben, cleo);
    const first = (await say(ann, ben.mid, 'first, sealed')).message;
    await ben.client.TalkService.react({
      reqSeq: ben.client.nextReqSeq(),
      messageId: first.id,
      reactionType: { predefinedReactionType: 2 },
    });
    const unsealing = await aParty(server, 'fay', { key: false });
    const plain = await unsealing.client.sendText(ann.mid, 'in the clear');
    await say(cleo, group, 'to the group');
    await ann.client.TalkService.sendChatChecked(ann.client.nextReqSeq(), unsealing.mid, plain.id);

    const { files, account, messagesIn } = await archiveOf(ann);
    assert.equal([...files.keys()][0], 'README.txt');
    assert.equal([...files.keys()].at(-1), 'account.json');
    assert.deepEqual(
      [account.format, account.formatVersion, account.by, account.mid],
      ['account-export', 1, 'account', ann.mid],
    );
    assert.equal(account.profile.userid, ann.user.userid);
    assert.deepEqual([account.contactMids, account.favoriteMids], [[ben.mid], [ben.mid]]);
    assert.deepEqual(account.blockedMids, [stranger.mid]);
    for (const { mid } of [ben, cleo, stranger]) assert.ok(account.contacts.some((contact) => contact.mid === mid));
    assert.equal(account.devices.filter(({ current }) => current).length, 1);
    assert.equal(account.publicKeys.length, 1);
    assert.deepEqual(account.pictures, [{ what: 'profile', path: 'pictures/profile.jpg' }]);
    assert.ok(files.get('pictures/profile.jpg')?.length);
    const [one] = messagesIn(ben.mid);
    const [two] = messagesIn(unsealing.mid);
    assert.deepEqual([one?.text, one?.sealing.state, one?.chunks], ['first, sealed', 'opened', undefined]);
    assert.equal(one?.reactions?.length, 1);
    assert.deepEqual([two?.text, two?.sealing], ['in the clear', { state: 'plain' }]);
    assert.equal(account.chats.find(({ chatMid }) => chatMid === unsealing.mid)?.lastReadMessageId, plain.id);
    const inGroup = account.chats.find(({ chatMid }) => chatMid === group);
    assert.deepEqual(
      inGroup?.chat?.extra?.groupExtra?.memberMids?.toSorted(),
      [ann, ben, cleo].map(({ mid }) => mid).sort(),
    );
    assert.equal(messagesIn(group).at(-1)?.text, 'to the group');
    const invited = await archiveOf(await invitee(group));
    assert.deepEqual(
      invited.account.chats.map(({ chatMid, invited, messages }) => [chatMid, invited, messages]),
      [[group, true, 0]],
    );
  });

  async function invitee(group: string): Promise<Party> {
    const eve = await aParty(server, 'eve');
    const request = { reqSeq: ann.client.nextReqSeq(), chatMid: group, targetUserMids: [eve.mid] };
    await ann.client.TalkService.inviteIntoChat(request);
    return eve;
  }

  test('has media as they were sent, and tells which are missing', async () => {
    const [from, to] = [await aParty(server), await aParty(server)];
    const bytes = randomBytes(300_000);
    const media = from.client.media(from.sealing);
    const sealed = await media.send(to.mid, file(bytes));
    const unsealing = await aParty(server, 'fay', { key: false });
    const plain = await unsealing.client.media().send(to.mid, file(bytes, { name: 'Notes of today.TXT' }));
    const gone = await media.send(to.mid, file(bytes, { name: 'gone.bin' }));
    const unsent = await media.send(to.mid, file(bytes));
    await from.client.TalkService.unsendMessage(from.client.nextReqSeq(), unsent.id);
    const without = (input: RequestInfo | URL): boolean => String(input).includes(gone.contentMetadata.OID ?? '?');
    const client = createRpcClient({
      url: server.url,
      session: to.client.session as NonNullable<typeof to.client.session>,
      keyStore: to.keyStore,
      fetch: async (input, init) => (without(input) ? new Response(null, { status: 404 }) : fetch(input, init)),
    });
    const seen: ExportProgress[] = [];
    const { files, account, messagesIn } = await archiveOf(
      { client, sealing: createSealingClient(client) },
      { onProgress: (progress) => seen.push(progress) },
    );
    const [one, three, four] = messagesIn(from.mid);
    const [two] = messagesIn(unsealing.mid);
    assert.deepEqual(one?.media, { path: `media/${sealed.id}.pdf`, bytes: 300_000, name: 'report.pdf' });
    assert.deepEqual(files.get(`media/${sealed.id}.pdf`), bytes);
    assert.equal(two?.media?.path, `media/${plain.id}.txt`);
    assert.deepEqual(files.get(`media/${plain.id}.txt`), bytes);
    assert.deepEqual([three?.media?.missing?.reason, three?.media?.path], ['no-object', undefined]);
    assert.equal(four?.media, undefined);
    assert.deepEqual(account.counts, {
      messages: 4,
      sealedMessages: 0,
      media: 2,
      mediaBytes: 600_000,
      missingMedia: 1,
    });
    assert.deepEqual(seen.at(-1), { chats: { done: 2, all: 2 }, ...account.counts });
    for (const content of files.values()) assert.doesNotMatch(content.toString('latin1'), /keyMaterial/);
  });

  test('keeps what this device cannot open sealed, with the reason', async () => {
    const [from, to] = [await aParty(server), await aParty(server)];
    await say(from, to.mid, 'nobody reads this there');
    await from.client.media(from.sealing).send(to.mid, file(randomBytes(100)));
    const { account, messagesIn } = await archiveOf(await to.elsewhere());
    const [text, media] = messagesIn(from.mid);
    assert.deepEqual([text?.sealing.state, text?.sealing.reason], ['sealed', 'unknown-key']);
    assert.equal(text?.chunks?.length, 5);
    assert.equal(media?.media?.missing?.reason, 'sealed');
    assert.deepEqual([account.counts.sealedMessages, account.counts.missingMedia], [2, 1]);
  });

  test('is whole after broken connections and refusals for now', async () => {
    const [from, to] = [await aParty(server), await aParty(server)];
    const bytes = randomBytes(2_000_000);
    const { id } = await from.client.media(from.sealing).send(to.mid, file(bytes));
    const proxy = await cuttingProxy(server.url);
    try {
      const calls = watchedCalls('getAllContactIds', (call) => (call < 3 ? refusal(4) : undefined));
      const shaky = await to.again({ url: proxy.url, fetch: calls.fetch, timers: hurriedTimers(20) });
      proxy.cutAfter('answers', 700_000);
      const { files } = await archiveOf(shaky, { timers: hurriedTimers(20) });
      assert.deepEqual(files.get(`media/${id}.pdf`), bytes);
      assert.deepEqual([calls.calls.length, proxy.cuts], [3, 1]);
    } finally {
      await proxy.close();
    }
  });

  test('has the messages of a chat that the account leaves meanwhile', async () => {
    const [from, to] = [await aParty(server), await aParty(server)];
    const group = await aGroup(from, to);
    await say(from, group, 'before');
    // After its messages were read, the chat is closed to the account.
    const { fetch } = watchedCalls('getMessageReadRange', () => refusal(errors.NOT_A_MEMBER.code));
    const leaving = await to.again({ fetch });
    const { account, messagesIn } = await archiveOf(leaving);
    const chat = account.chats.find(({ chatMid }) => chatMid === group);
    assert.equal(chat?.missing?.reason, 'NOT_A_MEMBER');
    assert.ok(messagesIn(group).some(({ text }) => text === 'before'));
  });

  test('is not written to its end if the caller stops it', async () => {
    const [from, to] = [await aParty(server), await aParty(server)];
    await from.client.media(from.sealing).send(to.mid, file(randomBytes(1_000_000)));
    const stop = new AbortController();
    const onProgress = ({ mediaBytes }: ExportProgress) => mediaBytes > 0 && stop.abort(new Error('enough'));
    await assert.rejects(archiveOf(to, { signal: stop.signal, onProgress }), /enough/);
  });

  test('has the messages of a long chat in several files, the oldest first', async () => {
    const [from, to] = [await aParty(server, 'long', { key: false }), await aParty(server, 'long', { key: false })];
    const texts = Array.from({ length: 1100 }, (_, at) => `text ${at}`);
    for (let at = 0; at < texts.length; at += 50) {
      await Promise.all(texts.slice(at, at + 50).map((text) => from.client.sendText(to.mid, text)));
    }
    const { account, messagesIn } = await archiveOf(to);
    assert.equal(account.chats[0]?.files.length, 2);
    const messages = messagesIn(from.mid);
    assert.deepEqual(messages.map(({ text }) => text).sort(), texts.toSorted());
    const ids = messages.map(({ id }) => Number(id));
    assert.deepEqual(
      ids,
      ids.toSorted((a, b) => a - b),
    );
  });
});
