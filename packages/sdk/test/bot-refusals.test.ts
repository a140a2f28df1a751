// Messages of bots that are refused: they are reported with all that is needed to send them again, and free their keys.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { chatTypes } from '@sealpost/contract';
import { startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { hurriedTimers } from '@sealpost/dev-env/hurried-timers';
import { until } from '@sealpost/dev-env/until';
import { type ClientStore, createSealingClient, memoryStore, type SealingClient } from '@sealpost/sdk';
import { type Bot, type CatchHandler, createBot, MessageRefused } from '@sealpost/sdk/bot';

describe('messages of bots that are refused', () => {
  let server: TestServer;
  let ann: TestUser & { readonly sealing: SealingClient };
  let bots: Bot[] = [];
  before(async () => {
    server = await startServer();
    const user = await server.user('ann');
    ann = { ...user, sealing: createSealingClient(user.client) };
    await ann.sealing.ownKey();
  });
  after(() => server.close());
  afterEach(async () => {
    for (const bot of bots) await bot.stop();
    bots = [];
  });

  /** Starts a bot that joins groups. */
  async function started(account: TestUser, caught: CatchHandler, store: ClientStore = memoryStore()) {
    if (!(await store.session.load())) await store.session.save((await account.session()).session);
    const bot = createBot({
      url: server.url,
      userid: account.userid,
      password: account.password,
      timers: hurriedTimers(50),
      logger: { info: () => {}, problem: () => {} },
      acceptInvitations: true,
      store,
    });
    bots.push(bot);
    bot.catch(caught);
    await bot.start();
    return bot;
  }

  /** The texts that a bot sent to a chat as ann sees them, the oldest first. */
  async function textsOf(account: TestUser, chatMid: string): Promise<(string | undefined)[]> {
    const messages = await ann.sealing.history(chatMid, 100);
    return messages
      .filter(({ from, text }) => from === account.mid && text)
      .map(({ text }) => text)
      .reverse();
  }

  /** A sealed group of ann and the account, into which somebody without a key came. */
  async function mixedGroup(account: TestUser, bot: Bot) {
    const keyless = await server.user('keyless');
    const { TalkService, nextReqSeq } = ann.client;
    const { chat } = await TalkService.createChat({
      reqSeq: nextReqSeq(),
      type: chatTypes.GROUP,
      name: 'tea',
      targetUserMids: [account.mid],
    });
    const { chatMid } = chat;
    await until(async () => (await bot.client.chats.mids()).joined.includes(chatMid), 'the bot joins');
    await ann.sealing.sendText(chatMid, 'sealed');
    await TalkService.inviteIntoChat({ reqSeq: nextReqSeq(), chatMid, targetUserMids: [keyless.mid] });
    const about = { reqSeq: keyless.client.nextReqSeq(), chatMid };
    await keyless.client.TalkService.acceptChatInvitation(about);
    await bot.client.synced();
    const leaves = async () => {
      const { nextReqSeq: next, TalkService: talk } = keyless.client;
      await talk.deleteSelfFromChat({ reqSeq: next(), chatMid });
      await bot.client.synced();
    };
    return { chatMid, leaves };
  }

  test('a refused message frees its key, so its repetition is sent when the group can be sealed again', async () => {
    const account = await server.user('bot');
    const errors: unknown[] = [];
    const bot = await started(account, (error) => errors.push(error));
    const { chatMid, leaves } = await mixedGroup(account, bot);
    const first = await bot.send(chatMid, 'Zed: hi', { key: 'm1' });
    await until(() => errors.length === 1, 'the report');
    const [error] = errors;
    assert.ok(error instanceof MessageRefused);
    const { name, reason, key, to, content } = error;
    assert.deepEqual([name, reason, key, to], ['SendFailed', 'would-downgrade', 'm1', chatMid]);
    assert.deepEqual(content, { contentType: 0, text: 'Zed: hi' });
    const again = await bot.send(chatMid, 'Zed: hi', { key: 'm1' });
    assert.notEqual(again.localId, first.localId);
    await assert.rejects(again.sent(), (refused) => refused instanceof MessageRefused && refused.key === 'm1');
    await until(() => errors.length === 2 && bot.client.outbox.all().length === 0, 'the second report');
    await leaves();
    await (await bot.send(chatMid, 'Zed: hi', { key: 'm1' })).sent();
    assert.deepEqual(await textsOf(account, chatMid), ['Zed: hi']);
    assert.equal(errors.length, 2);
  });

  test('the handler of failures can send the message in the clear, with its key', async () => {
    const account = await server.user('bot');
    const bot = await started(account, async (error) => {
      if (!(error instanceof MessageRefused) || error.reason !== 'would-downgrade' || !error.content) return;
      await bot.send(error.to, error.content, { key: error.key, mode: 'plain' });
    });
    const { chatMid } = await mixedGroup(account, bot);
    await bot.send(chatMid, 'Zed: hi', { key: 'm1' });
    await until(async () => (await textsOf(account, chatMid)).length > 0, 'the message');
    const { message, sealed } = await (await bot.send(chatMid, 'another', { key: 'm1' })).sent();
    assert.deepEqual([message.text, sealed], ['Zed: hi', false]);
    assert.deepEqual(await textsOf(account, chatMid), ['Zed: hi']);
  });

  test('a report whose handler did not end is repeated after the next start, and one that ended is not', async () => {
    const account = await server.user('bot');
    const store = memoryStore();
    const begun = Promise.withResolvers<void>();
    const first = await started(
      account,
      () => {
        begun.resolve();
        return new Promise(() => {});
      },
      store,
    );
    await ann.sealing.sendText(account.mid, 'sealed');
    await first.client.synced();
    await first.send(ann.mid, 'in the clear', { key: 'm1', mode: 'plain' });
    await begun.promise;
    await first.stop({ limitMs: 1 });
    const errors: unknown[] = [];
    const second = await started(account, (error) => errors.push(error), store);
    await second.stop({ limitMs: 60_000 });
    assert.ok(errors[0] instanceof MessageRefused && errors[0].key === 'm1');
    const third = await started(account, (error) => errors.push(error), store);
    await third.stop({ limitMs: 60_000 });
    assert.equal(errors.length, 1);
  });

  test('who waits for a refused message gets its reason, before and after the report', async () => {
    const account = await server.user('bot');
    const errors: unknown[] = [];
    const bot = await started(account, (error) => errors.push(error));
    await ann.sealing.sendText(account.mid, 'sealed');
    await bot.client.synced();
    const answer = await bot.send(ann.mid, 'in the clear', { mode: 'plain' });
    const refused = (error: unknown) =>
      error instanceof MessageRefused && error.reason === 'must-be-sealed' && error.content?.text === 'in the clear';
    await assert.rejects(answer.sent(), refused);
    await until(() => errors.length === 1 && bot.client.outbox.all().length === 0, 'the report');
    await assert.rejects(answer.sent(), refused);
  });

  test('a message with a known key is found without a look at the other keys', async () => {
    const account = await server.user('bot');
    const store = memoryStore();
    const looks: string[] = [];
    const watched: ClientStore = {
      ...store,
      state: {
        ...store.state,
        async open(mid) {
          const rows = await store.state.open(mid);
          return {
            ...rows,
            range: (from, below, options) => {
              looks.push(from);
              return rows.range(from, below, options);
            },
          };
        },
      },
    };
    const bot = await started(account, () => {}, watched);
    const { message } = await (await bot.send(ann.mid, 'once', { key: 'm1' })).sent();
    const again = await bot.send(ann.mid, 'twice', { key: 'm1' });
    assert.equal((await again.sent()).message.id, message.id);
    assert.deepEqual(
      looks.filter((from) => from.startsWith('cause/')),
      [],
    );
  });
});
