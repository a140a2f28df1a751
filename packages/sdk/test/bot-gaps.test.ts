// What bots do about what happened without them: gaps in their log, and invitations that wait.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { chatTypes } from '@sealpost/contract';
import { startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { hurriedTimers } from '@sealpost/dev-env/hurried-timers';
import { until } from '@sealpost/dev-env/until';
import { type ClientStore, memoryStore } from '@sealpost/sdk';
import { type Bot, type BotOptions, createBot, type GapContext } from '@sealpost/sdk/bot';

type Settings = Partial<Pick<BotOptions, 'acceptInvitations' | 'fetch'>> & { readonly onGap?: () => Promise<void> };

describe('what happened without a bot', () => {
  let server: TestServer;
  let ann: TestUser;
  let bots: Bot[] = [];
  before(async () => {
    server = await startServer();
    ann = await server.user('ann');
  });
  after(() => server.close());
  afterEach(async () => {
    for (const bot of bots) await bot.stop();
    bots = [];
  });

  /** A bot of an account that notes its events. It is not started yet. */
  async function botOf(account: TestUser, store: ClientStore, { onGap, ...settings }: Settings = {}) {
    if (!(await store.session.load())) await store.session.save((await account.session()).session);
    const problems: string[] = [];
    const texts: string[] = [];
    const gaps: GapContext[] = [];
    const bot = createBot({
      url: server.url,
      userid: account.userid,
      password: account.password,
      timers: hurriedTimers(50),
      logger: { info: () => {}, problem: (text) => problems.push(text) },
      store,
      ...settings,
    });
    bots.push(bot);
    bot
      .on('message', (ctx) => texts.push(ctx.text))
      .on('gap', (ctx) => {
        gaps.push(ctx);
        return onGap?.();
      });
    return { bot, problems, texts, gaps };
  }

  /** Deletes all operations of an account from the server's log, except the last ones. Returns the last revision. */
  async function trimLog({ mid, client }: TestUser, kept: number): Promise<number> {
    const { log, store, slices } = server.server;
    const shown = await slices.accounts.show(mid);
    assert.ok(shown && 'id' in shown && typeof shown.id === 'number');
    const { id } = shown;
    await store.transact((tx) => log.trim(tx, id, 0, kept));
    return Number(await client.TalkService.getLastOpRevision());
  }

  async function invite({ mid }: TestUser): Promise<string> {
    const { TalkService, nextReqSeq } = ann.client;
    const about = { reqSeq: nextReqSeq(), type: chatTypes.GROUP, name: 'club', targetUserMids: [mid] };
    return (await TalkService.createChat(about)).chat.chatMid;
  }

  async function chatsOf({ client }: TestUser): Promise<{ joined: readonly string[]; invited: readonly string[] }> {
    const request = { withMemberChats: true, withInvitedChats: true };
    const { memberChatMids, invitedChatMids } = await client.TalkService.getAllChatMids(request);
    return { joined: memberChatMids.toSorted(), invited: invitedChatMids };
  }

  const missing = (first: number, last: number): string =>
    `operations ${first} to ${last} are missing: the server has deleted some of them`;

  test('operations that the server has deleted are one event and one line, without another operation', async () => {
    const account = await server.user('bot');
    const store = memoryStore();
    const once = await botOf(account, store);
    await once.bot.start();
    await ann.client.sendText(account.mid, 'first');
    await until(() => once.texts.length === 1, 'the first text');
    await once.bot.stop();
    const seen = Number(await account.client.TalkService.getLastOpRevision());
    for (const n of [1, 2, 3, 4]) await ann.client.sendText(account.mid, `missed ${n}`);
    const last = await trimLog(account, 1);
    // The first handler does not end, so the event comes once more.
    const hung = await botOf(account, store, { onGap: () => new Promise(() => {}) });
    await hung.bot.start();
    await until(() => hung.gaps.length === 1, 'the gap');
    assert.deepEqual(hung.problems, [missing(seen + 1, last)]);
    await hung.bot.stop({ limitMs: 1 });
    const again = await botOf(account, store);
    await again.bot.start();
    await ann.client.sendText(account.mid, 'after it');
    await until(() => again.texts.length === 1, 'the next text');
    await again.bot.stop({ limitMs: 60_000 });
    assert.deepEqual(
      again.gaps.map((gap) => [gap.first, gap.last, gap.revision, gap.chatMid]),
      [[String(seen + 1), String(last), String(last), account.mid]],
    );
    assert.deepEqual([again.texts, again.problems], [['after it'], []]);
    const quiet = await botOf(account, store);
    await quiet.bot.start();
    await quiet.bot.stop({ limitMs: 60_000 });
    assert.deepEqual([quiet.gaps, quiet.texts, quiet.problems], [[], [], []]);
  });

  test('a gap of a running bot is an event too, and invitations in it are accepted', async () => {
    const account = await server.user('bot');
    let isDown = false;
    const streams: AbortController[] = [];
    const { bot, gaps } = await botOf(account, memoryStore(), {
      acceptInvitations: true,
      fetch: (input, init) => {
        if (isDown) return Promise.reject(new TypeError('no route'));
        const stream = new AbortController();
        streams.push(stream);
        const signal = AbortSignal.any([stream.signal, ...(init?.signal ? [init.signal] : [])]);
        return fetch(input, { ...init, signal });
      },
    });
    await bot.start();
    isDown = true;
    for (const stream of streams) stream.abort(new TypeError('cut'));
    const chatMid = await invite(account);
    await ann.client.sendText(account.mid, 'missed');
    const last = await trimLog(account, 1);
    isDown = false;
    await until(() => gaps.length === 1, 'the gap');
    assert.equal(gaps[0]?.last, String(last));
    assert.deepEqual(await chatsOf(account), { joined: [chatMid], invited: [] });
  });

  test('events go on after the server was restored from a backup, with lower revisions than the bot has seen', async () => {
    const account = await server.user('bot');
    const store = memoryStore();
    const before = await botOf(account, store);
    await before.bot.start();
    await before.bot.stop();
    const rows = await store.state.open(account.mid);
    await rows.commit([
      { key: 'cursor/me', value: JSON.stringify({ revision: '999999999' }) },
      { key: 'bot-last/me', value: JSON.stringify('999999999') },
    ]);
    await rows.close();
    const { bot, texts, gaps } = await botOf(account, store);
    await bot.start();
    await bot.client.synced();
    await ann.client.sendText(account.mid, 'after it');
    await bot.client.synced();
    await bot.stop({ limitMs: 60_000 });
    assert.deepEqual([texts, gaps], [['after it'], []]);
  });

  test('invitations that wait at a start are accepted, and without the option they are not', async () => {
    const account = await server.user('bot');
    const chats = [await invite(account), await invite(account)].toSorted();
    const store = memoryStore();
    const without = await botOf(account, store);
    await without.bot.start();
    await without.bot.stop();
    assert.deepEqual((await chatsOf(account)).joined, []);
    const { bot } = await botOf(account, store, { acceptInvitations: true });
    await bot.start();
    assert.deepEqual(await chatsOf(account), { joined: chats, invited: [] });
  });
});
