// Sealed messages to bots whose keys come late: each becomes an event when it opens.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { hurriedTimers } from '@sealpost/dev-env/hurried-timers';
import { until } from '@sealpost/dev-env/until';
import { type ClientStore, createSealingClient, memoryStore, type SealingClient } from '@sealpost/sdk';
import { type Bot, createBot } from '@sealpost/sdk/bot';
import { type Instead, recordedFetch } from './recorded-fetch.ts';

describe('sealed messages to bots whose keys come late', () => {
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

  /** Starts a bot that notes its events, and gives up a failed event at once. */
  async function started(account: TestUser, store: ClientStore = memoryStore(), instead: Instead = () => undefined) {
    await store.session.save((await account.session()).session);
    const events: string[] = [];
    const problems: string[] = [];
    const bot = createBot({
      url: server.url,
      userid: account.userid,
      password: account.password,
      timers: hurriedTimers(50),
      logger: { info: () => {}, problem: (text) => problems.push(text) },
      fetch: recordedFetch(instead).fetch,
      tries: 1,
      store,
    });
    bots.push(bot);
    bot
      .on('message', async (ctx) => {
        await ctx.reply('read');
        events.push(`${ctx.sender.name}: ${ctx.text}`);
      })
      // Without its key, the bot could not seal an answer.
      .on('unopened', (ctx) => events.push(`unopened: ${ctx.unopened?.reason}`))
      .catch((error) => events.push(`failed: ${error}`));
    await bot.start();
    return { bot, store, events, problems };
  }

  for (const method of ['getE2EEPublicKey', 'getContactsV2']) {
    test(`a message waits as long as the server fails in ${method}, although each event is tried only once`, async () => {
      const account = await server.user('bot');
      let isDown = false;
      let refusals = 0;
      const { events, problems } = await started(account, memoryStore(), ({ path }) => {
        if (!isDown || !path.endsWith(`/${method}`)) return undefined;
        refusals += 1;
        return Promise.resolve(new Response('busy', { status: 503 }));
      });
      isDown = true;
      await ann.sealing.sendText(account.mid, 'first');
      await until(() => problems.some((text) => text.endsWith('waits for the server')), 'it waits');
      const before = refusals;
      await until(() => refusals > before + 3, 'several tries');
      assert.deepEqual(events, []);
      isDown = false;
      await until(() => events.length > 0, 'the event');
      assert.deepEqual(events, ['ann: first']);
      assert.equal(problems.filter((text) => text.endsWith('waits for the server')).length, 1);
    });
  }

  /** Returns an account with a key, the store that has the key, and a bot of the account that lacks it. */
  async function withoutKey() {
    const account = await server.user('bot');
    const first = await started(account);
    await first.bot.stop();
    const second = await started(account);
    await ann.sealing.sendText(account.mid, 'late');
    await until(() => second.events.length > 0, 'the closed message');
    assert.deepEqual(second.events, ['unopened: unknown-key']);
    const keys = await first.store.keyStore.ownKeys(account.mid);
    return { account, ...second, addKeys: () => second.store.keyStore.addOwnKeys(account.mid, keys) };
  }

  const answersTo = async (bot: Bot): Promise<number> => {
    await bot.client.synced();
    await until(() => bot.client.outbox.all().length === 0, 'the answers');
    const messages = await bot.client.replica.keptMessages(ann.mid);
    return messages.filter(({ from }) => from !== ann.mid).length;
  };

  test('a message that came closed is an event once more when its key comes', async () => {
    const { bot, events, addKeys } = await withoutKey();
    await addKeys();
    await bot.client.openAgain();
    await until(() => events.length > 1, 'the open message');
    await bot.client.openAgain();
    assert.equal(await answersTo(bot), 1);
    assert.deepEqual(events, ['unopened: unknown-key', 'ann: late']);
  });

  test('it is one after a restart too', async () => {
    const { account, bot, store, addKeys } = await withoutKey();
    await bot.stop();
    await addKeys();
    const next = await started(account, store);
    await until(() => next.events.length > 0, 'the open message');
    await next.bot.client.openAgain();
    assert.equal(await answersTo(next.bot), 1);
    assert.deepEqual(next.events, ['ann: late']);
  });
});
