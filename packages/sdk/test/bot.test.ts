// Bots: which handlers get which events, in which order, and what happens when they fail.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import { chatTypes, contentTypes, operationTypes, profileAttributes } from '@sealpost/contract';
import { startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { hurriedTimers } from '@sealpost/dev-env/hurried-timers';
import { until } from '@sealpost/dev-env/until';
import {
  type ClientStore,
  createSealingClient,
  GatewayError,
  MediaError,
  memoryStore,
  type SealingClient,
  SendFailed,
} from '@sealpost/sdk';
import { type Bot, type BotOptions, createBot } from '@sealpost/sdk/bot';

class Told {
  readonly infos: string[] = [];
  readonly problems: string[] = [];
  readonly errors: unknown[] = [];
  info(text: string): void {
    this.infos.push(text);
  }
  problem(text: string, error?: unknown): void {
    this.problems.push(text);
    this.errors.push(error);
  }
}

interface Person extends TestUser {
  readonly sealing: SealingClient;
}

describe('bots', () => {
  let server: TestServer;
  let bots: Bot[] = [];
  before(async () => {
    server = await startServer();
  });
  after(() => server.close());
  afterEach(async () => {
    for (const bot of bots) await bot.stop();
    bots = [];
  });

  /** Somebody with a key, so that messages between them and bots are sealed. */
  async function person(name: string): Promise<Person> {
    const user = await server.user(name);
    const sealing = createSealingClient(user.client);
    await sealing.ownKey();
    return { ...user, sealing };
  }

  async function storeOf(user: TestUser): Promise<ClientStore> {
    const store = memoryStore();
    await store.session.save((await user.session()).session);
    return store;
  }

  type Settings = { readonly userid?: string; readonly password?: string; readonly store?: ClientStore } & Pick<
    BotOptions,
    'prefix' | 'acceptInvitations' | 'parallel' | 'tries' | 'fetch' | 'clock'
  >;

  /** A bot of an account. It is not started yet. */
  async function botOf(user: TestUser, options: Settings = {}) {
    const logger = new Told();
    const bot = createBot({
      url: server.url,
      userid: user.userid,
      password: user.password,
      timers: hurriedTimers(50),
      logger,
      store: await storeOf(user),
      ...options,
    });
    bots.push(bot);
    return { bot, logger, mid: user.mid };
  }

  /** The messages of a chat as a person sees them: sender and text, the oldest first. */
  async function textsIn(reader: Person, chatMid: string, from?: string): Promise<(string | undefined)[]> {
    const messages = await reader.sealing.history(chatMid, 100);
    return messages
      .filter((message) => message.contentType !== contentTypes.CHATEVENT && (!from || message.from === from))
      .map(({ text }) => text)
      .reverse();
  }

  async function group(owner: Person, invited: readonly { readonly mid: string }[]): Promise<string> {
    const { chat } = await owner.client.TalkService.createChat({
      reqSeq: owner.client.nextReqSeq(),
      type: chatTypes.GROUP,
      name: 'club',
      targetUserMids: invited.map(({ mid }) => mid),
    });
    return chat.chatMid;
  }

  /** The keys of what a store has, after its bot was stopped. */
  async function rowsOf(store: ClientStore, mid: string, prefix: string): Promise<string[]> {
    const rows = await store.state.open(mid);
    const found = await rows.range(prefix, `${prefix}\uffff`);
    await rows.close();
    return found.map(({ key }) => key);
  }

  const enter = (user: Person, chatMid: string) =>
    user.client.TalkService.acceptChatInvitation({ reqSeq: user.client.nextReqSeq(), chatMid });

  test('the name of somebody who is not a contact is read again after an hour', async () => {
    const [alice, user] = [await person('alice'), await server.user('bot')];
    let ahead = 0;
    const { bot, mid } = await botOf(user, {
      clock: { now: () => Date.now() + ahead, monotonic: () => performance.now() },
    });
    const names: string[] = [];
    bot.on('message', ({ sender }) => void names.push(sender.name));
    await bot.start();
    const say = async (...all: readonly string[]) => {
      await alice.sealing.sendText(mid, 'hello');
      await until(() => names.length === all.length, 'the message came');
      assert.deepEqual(names, all);
    };
    const rename = (value: string) =>
      alice.client.TalkService.updateProfileAttributes(alice.client.nextReqSeq(), {
        profileAttributes: { [profileAttributes.DISPLAY_NAME]: { value } },
      });
    await rename('Alice');
    await say('Alice');
    await rename('Alice Two');
    ahead = 59 * 60_000;
    await say('Alice', 'Alice');
    ahead = 60 * 60_000;
    await say('Alice', 'Alice', 'Alice Two');
  });

  test('a text is answered, sealed, and not the texts of the bot or from before its first start', async () => {
    const ann = await person('ann');
    const { bot, mid } = await botOf(await server.user('bot'));
    await ann.client.send({ to: mid, text: 'too early', contentType: 0 });
    const seen: string[] = [];
    bot.on('message:text', async (ctx) => {
      seen.push(`${ctx.sender.name} in ${ctx.chat.kind} ${ctx.chat.name}: ${ctx.text}`);
      await ctx.quote(`you said ${ctx.text}`);
    });
    await bot.start();
    await ann.sealing.sendText(mid, 'hello');
    await until(async () => (await textsIn(ann, mid, mid)).length > 0, 'an answer');
    const [answer] = await ann.sealing.history(mid, 1);
    assert.equal(answer?.text, 'you said hello');
    assert.equal(answer.sealing.state, 'opened');
    assert.ok(answer.relatedMessageId);
    await bot.client.messaging.sendText(ann.mid, 'by myself');
    await bot.stop();
    assert.deepEqual(seen, ['ann in user ann: hello']);
  });

  test('what comes while the bot is stopped is answered after the next start', async () => {
    const ann = await person('ann');
    const account = await server.user('bot');
    const store = await storeOf(account);
    const echo = async () => {
      const { bot } = await botOf(account, { store });
      bot.on('message', (ctx) => ctx.reply(`${ctx.text}!`));
      await bot.start();
      return bot;
    };
    const first = await echo();
    await ann.sealing.sendText(account.mid, 'one');
    await until(async () => (await textsIn(ann, account.mid, account.mid)).length >= 1, 'the first answer');
    await first.stop();
    await ann.sealing.sendText(account.mid, 'two');
    const regretted = await ann.sealing.sendText(account.mid, 'unsent before it comes');
    await ann.client.TalkService.unsendMessage(ann.client.nextReqSeq(), regretted.message.id);
    await ann.sealing.sendText(account.mid, 'three');
    const second = await echo();
    await until(async () => (await textsIn(ann, account.mid, account.mid)).length >= 3, 'all answers');
    assert.deepEqual(await textsIn(ann, account.mid, account.mid), ['one!', 'two!', 'three!']);
    await second.stop({ limitMs: 60_000 });
    // Neither events nor keys of their answers stay.
    assert.deepEqual(await rowsOf(store, account.mid, 'bot-inbox/'), []);
    assert.deepEqual(await rowsOf(store, account.mid, 'cause/'), []);
  });

  test('commands, texts and expressions go to the first handler that fits, in the order of adding', async () => {
    const ann = await person('ann');
    const { bot, mid } = await botOf(await server.user('bot'));
    const order: string[] = [];
    bot
      .use(async (_, next) => {
        order.push('in');
        await next();
        order.push('out');
      })
      .command('add', (ctx) => ctx.reply(String(ctx.args.reduce((sum, arg) => sum + Number(arg), 0))))
      .command('say', (ctx) => ctx.reply(ctx.rest))
      .hears('ping', (ctx) => ctx.reply('pong'))
      .hears(/^(\d+)\s*km$/gi, (ctx) => ctx.reply(`${Number(ctx.match[1]) * 1000} m`))
      .on('message:text', async (_, next) => {
        order.push('text');
        await next();
      })
      .on('message', (ctx) => ctx.reply('what?'));
    await bot.start();
    const asked = ['/add 1 2 3', '/SAY  two  words ', '/added', ' ping', 'ping pong', '5 km', '7KM', 'hi'];
    for (const text of asked) await ann.sealing.sendText(mid, text);
    const wanted = ['6', 'two  words', 'what?', 'pong', 'what?', '5000 m', '7000 m', 'what?'];
    await until(async () => (await textsIn(ann, mid, mid)).length >= wanted.length, 'all answers');
    assert.deepEqual(await textsIn(ann, mid, mid), wanted);
    await bot.stop();
    const texts = wanted.map((text) => (text === 'what?' ? ['in', 'text', 'out'] : ['in', 'out']));
    assert.deepEqual(order, texts.flat());
  });

  test('a handler that is added after the start is refused', async () => {
    const { bot } = await botOf(await server.user('bot'));
    bot.on('message', () => {});
    const started = bot.start();
    const late = { message: 'The bot has been started. Add all handlers before.' };
    assert.throws(() => bot.on('message', () => {}), late);
    await started;
    assert.throws(() => bot.command('help', () => {}), late);
    assert.throws(() => bot.hears('ping', () => {}), late);
    assert.throws(() => bot.use(() => {}), late);
    await assert.rejects(bot.start(), /A bot is started once/);
  });

  test('another prefix begins commands', async () => {
    const ann = await person('ann');
    const { bot, mid } = await botOf(await server.user('bot'), { prefix: '!' });
    bot.command('help', (ctx) => ctx.reply('no help')).on('message', (ctx) => ctx.reply('no command'));
    await bot.start();
    await ann.sealing.sendText(mid, '/help');
    await ann.sealing.sendText(mid, '!help');
    await until(async () => (await textsIn(ann, mid, mid)).length >= 2, 'both answers');
    assert.deepEqual(await textsIn(ann, mid, mid), ['no command', 'no help']);
  });

  test('groups: invitation, messages, who joins and who leaves', async () => {
    const [ann, ben, cid] = [await person('ann'), await person('ben'), await person('cid')];
    const { bot, mid } = await botOf(await server.user('bot'), { acceptInvitations: true });
    const seen: string[] = [];
    bot
      .on('invite', async (ctx) => {
        seen.push(`invited by ${ctx.inviter.name}`);
        await ctx.reply('hello all');
      })
      .on('join', (ctx) => {
        assert.ok(ctx.chat.members.includes(ctx.user.mid), 'who joined is a member');
        seen.push(`${ctx.user.name} joined`);
      })
      .on('leave', (ctx) => {
        assert.ok(!ctx.chat.members.includes(ctx.user.mid), 'who left is no member');
        seen.push(`${ctx.user.mid === mid ? 'the bot' : ctx.user.name} left`);
      })
      .on('message:text', (ctx) => ctx.reply(`${ctx.sender.name} said ${ctx.text}`));
    await bot.start();
    const club = await group(ann, [{ mid }, ben, cid]);
    await until(async () => (await textsIn(ann, club, mid)).length >= 1, 'the bot is there');
    await enter(ben, club);
    await until(() => seen.includes('ben joined'), 'the first join');
    await enter(cid, club);
    await until(() => seen.includes('cid joined'), 'the second join');
    await ann.sealing.sendText(club, 'one');
    await ben.sealing.sendText(club, 'two');
    await until(async () => (await textsIn(ann, club, mid)).length >= 3, 'both answers');
    assert.deepEqual(await textsIn(cid, club, mid), ['ann said one', 'ben said two']);
    const newest = (await cid.sealing.history(club, 1))[0];
    assert.equal(newest?.sealing.state, 'opened');
    const talk = ann.client.TalkService;
    const remove = (user: string) =>
      talk.deleteOtherFromChat({ reqSeq: ann.client.nextReqSeq(), chatMid: club, targetUserMids: [user] });
    await remove(ben.mid);
    await until(() => seen.includes('ben left'), 'the removal of another');
    await remove(mid);
    await until(() => seen.includes('the bot left'), 'the removal of the bot');
    assert.deepEqual(seen, ['invited by ann', 'ben joined', 'cid joined', 'ben left', 'the bot left']);
  });

  test('without the option, a handler decides about an invitation', async () => {
    const ann = await person('ann');
    const { bot, mid } = await botOf(await server.user('bot'));
    let declined = '';
    bot.on('invite', async (ctx) => {
      if (declined) return ctx.accept();
      await ctx.decline();
      declined = ctx.chatMid;
    });
    await bot.start();
    const first = await group(ann, [{ mid }]);
    await until(() => declined === first, 'the invitation is declined');
    const second = await group(ann, [{ mid }]);
    const members = async (chatMid: string) => {
      const { chats } = await ann.client.TalkService.getChats({ chatMids: [chatMid], withMembers: true });
      return chats[0]?.extra?.groupExtra?.memberMids ?? [];
    };
    await until(async () => (await members(second)).includes(mid), 'the invitation is accepted');
    assert.deepEqual(await members(first), [ann.mid]);
  });

  test('an invitation that was taken back is told, and nothing else happens', async () => {
    const ann = await person('ann');
    const account = await server.user('bot');
    const store = await storeOf(account);
    const once = await botOf(account, { store });
    await once.bot.start();
    await once.bot.stop();
    const club = await group(ann, [account]);
    const { client } = ann;
    const about = { reqSeq: client.nextReqSeq(), chatMid: club, targetUserMids: [account.mid] };
    await client.TalkService.cancelChatInvitation(about);
    const { bot, logger } = await botOf(account, { store, acceptInvitations: true });
    const invited: string[] = [];
    bot.on('invite', (ctx) => invited.push(ctx.chatMid));
    await bot.start();
    await until(() => logger.problems.length > 0, 'the problem');
    assert.deepEqual(logger.problems, [`the invitation into ${club} cannot be accepted`]);
    assert.deepEqual(invited, []);
  });

  test('read marks, reactions and unsent messages are events', async () => {
    const ann = await person('ann');
    const { bot, mid } = await botOf(await server.user('bot'));
    const seen: unknown[] = [];
    bot
      .on('read', (ctx) => seen.push(['read', ctx.reader.name, ctx.messageId, ctx.chatMid]))
      .on('reaction', async (ctx) =>
        seen.push(['reaction', ctx.user.name, ctx.reaction, (await ctx.message())?.text, ctx.chatMid]),
      )
      .on('unsend', (ctx) => seen.push(['unsend', ctx.messageId, ctx.chatMid]));
    await bot.start();
    const { message: own } = await bot.client.messaging.sendText(ann.mid, 'mine');
    const { TalkService, nextReqSeq } = ann.client;
    await TalkService.sendChatChecked(nextReqSeq(), mid, own.id);
    const reactionType = { predefinedReactionType: 3 } as const;
    await TalkService.react({ reqSeq: nextReqSeq(), messageId: own.id, reactionType });
    await TalkService.cancelReaction({ reqSeq: nextReqSeq(), messageId: own.id });
    const { message: hers } = await ann.sealing.sendText(mid, 'hers');
    await TalkService.unsendMessage(nextReqSeq(), hers.id);
    await until(() => seen.length === 4, 'four events');
    assert.deepEqual(seen, [
      ['read', 'ann', own.id, ann.mid],
      ['reaction', 'ann', 'LOVE', 'mine', ann.mid],
      ['reaction', 'ann', undefined, 'mine', ann.mid],
      ['unsend', hers.id, ann.mid],
    ]);
  });

  test('an official account gets postbacks, and hears who adds it', async () => {
    const ann = await person('ann');
    const { bot, mid } = await botOf(await server.user('shop', 'official'));
    bot
      .on('follow', (ctx) => ctx.reply(`welcome ${ctx.user.name}`))
      .on('postback', (ctx) => ctx.reply(`you chose ${new URL(ctx.url).searchParams.get('size')}`));
    await bot.start();
    const { TalkService, nextReqSeq } = ann.client;
    await TalkService.findAndAddContactsByMid(nextReqSeq(), 0, [mid]);
    await until(async () => (await textsIn(ann, mid, mid)).length >= 1, 'the welcome');
    const url = 'https://shop.example.org/?size=large';
    await TalkService.sendPostback({ messageId: '0', url, chatMID: mid, originMID: mid });
    await until(async () => (await textsIn(ann, mid, mid)).length >= 2, 'the answer');
    assert.deepEqual(await textsIn(ann, mid, mid), ['welcome ann', 'you chose large']);
  });

  test('reactions, read marks, stickers, places and files by the verbs of a message', async () => {
    const ann = await person('ann');
    const { bot, mid, logger } = await botOf(await server.user('bot'));
    bot
      .on('message:file', async (ctx) => {
        const { bytes, name } = await ctx.download();
        const upper = new Blob([new TextDecoder().decode(bytes).toUpperCase()]);
        await ctx.replyFile({ kind: 'file', name: `upper ${name}`, bytes: upper });
      })
      .on('message:location', (ctx) => ctx.replyLocation({ latitude: 1, longitude: 2, title: 'here' }))
      .on('message:text', async (ctx) => {
        await ctx.react('LOVE');
        await ctx.markRead();
        await ctx.replySticker({ packageId: '1', stickerId: '3' });
      });
    await bot.start();
    const { message } = await ann.sealing.sendText(mid, 'look');
    await until(
      async () =>
        (await ann.log()).some(
          ({ type, param1 }) => type === operationTypes.NOTIFIED_SEND_REACTION && param1 === message.id,
        ),
      'a reaction',
    );
    const [seen] = await ann.sealing.history(mid, 1);
    assert.ok(seen);
    const location = { latitude: 3, longitude: 4, title: 'there' };
    await ann.sealing.send({ to: mid, contentType: contentTypes.LOCATION, location });
    const typeSeen = async (type: number) =>
      (await ann.sealing.history(mid, 100)).find((found) => found.from === mid && found.contentType === type);
    await until(async () => Boolean(await typeSeen(contentTypes.LOCATION)), 'a place');
    assert.equal((await typeSeen(contentTypes.LOCATION))?.location?.title, 'here');
    assert.deepEqual(logger.problems, []);
    assert.equal((await typeSeen(contentTypes.STICKER))?.contentMetadata.STKID, '3');
    const media = ann.client.media(ann.sealing);
    await media.send(mid, { kind: 'file', name: 'notes.txt', bytes: new Blob(['small letters']) });
    await until(async () => Boolean(await typeSeen(contentTypes.FILE)), 'a file');
    const answer = await typeSeen(contentTypes.FILE);
    assert.ok(answer && answer.sealing.state === 'opened');
    const file = await media.open(answer);
    assert.equal(file.name, 'upper notes.txt');
    let text = '';
    for await (const part of file.bytes()) text += Buffer.from(part).toString();
    assert.equal(text, 'SMALL LETTERS');
  });

  test('an event whose handler throws is tried again, and its answers go out once', async () => {
    const ann = await person('ann');
    const { bot, logger, mid } = await botOf(await server.user('bot'));
    let tries = 0;
    bot.on('message', async (ctx) => {
      tries += 1;
      await ctx.reply(`first answer to ${ctx.text}`);
      await ctx.reply(`second answer to ${ctx.text}`, { key: 'second' });
      if (tries < 3) throw new Error(`secret ${ctx.text}`);
    });
    await bot.start();
    await ann.sealing.sendText(mid, 'one');
    await ann.sealing.sendText(mid, 'two');
    await until(async () => (await textsIn(ann, mid, mid)).length >= 4, 'all answers');
    const wanted = ['one', 'two'].flatMap((text) => [`first answer to ${text}`, `second answer to ${text}`]);
    assert.deepEqual(await textsIn(ann, mid, mid), wanted);
    await bot.stop({ limitMs: 60_000 });
    assert.equal(tries, 4);
    assert.match(
      logger.problems.join('\n'),
      /^handling message at revision \d+ failed. It is tried again\n.*tried again$/,
    );
  });

  test('a file of an event that is handled again is sent once, and leaves no copy', async () => {
    const ann = await person('ann');
    const account = await server.user('bot');
    const store = await storeOf(account);
    const { bot, mid } = await botOf(account, { store });
    let tries = 0;
    bot.on('message', async (ctx) => {
      await ctx.replyFile({ kind: 'file', name: 'notes.txt', bytes: new Blob(['notes']) });
      tries += 1;
      if (tries < 3) throw new Error('again');
      await ctx.reply('done');
    });
    await bot.start();
    await ann.sealing.sendText(mid, 'notes, please');
    await until(async () => (await textsIn(ann, mid, mid)).length >= 2, 'both answers');
    const types = (await ann.sealing.history(mid, 100)).map(({ contentType }) => contentType);
    assert.deepEqual(types, [contentTypes.NONE, contentTypes.FILE, contentTypes.NONE]);
    await bot.stop({ limitMs: 60_000 });
    assert.deepEqual(await rowsOf(store, mid, 'file-part/'), []);
  });

  test('an event that fails for the last time goes to catch, and the chat goes on', async () => {
    const ann = await person('ann');
    const { bot, logger, mid } = await botOf(await server.user('bot'), { tries: 2 });
    let tries = 0;
    const caught: unknown[] = [];
    bot
      .on('message', async (ctx) => {
        if (ctx.text !== 'bad') return ctx.reply('good');
        tries += 1;
        await ctx.reply('trying');
        throw new Error('it is bad');
      })
      .catch(async (error, ctx) => {
        caught.push(error);
        await ctx?.reply('sorry');
      });
    await bot.start();
    await ann.sealing.sendText(mid, 'bad');
    await ann.sealing.sendText(mid, 'fine');
    await until(async () => (await textsIn(ann, mid, mid)).at(-1) === 'good', 'all answers');
    assert.deepEqual(await textsIn(ann, mid, mid), ['trying', 'sorry', 'good']);
    assert.equal(tries, 2);
    assert.deepEqual(caught.map(String), ['Error: it is bad']);
    assert.equal(logger.problems.length, 2);
  });

  test('a function decides which failures are tried again: one bad event does not hold its chat for ever', async () => {
    // Without a key, so that messages are plain.
    const user = await server.user('ann');
    const ann = { ...user, sealing: createSealingClient(user.client) };
    const asked: (readonly [unknown, number])[] = [];
    const { bot, mid } = await botOf(await server.user('bot'), {
      tries(error, failures) {
        const isNotYet = error instanceof MediaError && error.reason === 'not-yet';
        asked.push([isNotYet, failures]);
        return !isNotYet || failures < 3;
      },
    });
    const caught: string[] = [];
    let downloads = 0;
    let isDown = true;
    bot
      .on('message:image', async (ctx) => {
        downloads += 1;
        // More tries than the function allows succeed, so that the test ends.
        if (downloads <= 3) await ctx.download();
      })
      .on('message:text', (ctx) => {
        if (isDown) {
          isDown = false;
          throw new Error('down');
        }
        return ctx.reply(`${ctx.text}!`);
      })
      .catch((error, ctx) => caught.push(`${error}`, ctx?.chatMid === ann.mid ? 'in the chat' : 'elsewhere'));
    await bot.start();
    // Its object never comes.
    await ann.client.send({ to: mid, contentType: contentTypes.IMAGE });
    await ann.client.sendText(mid, 'after it');
    await until(async () => (await textsIn(ann, mid, mid)).length > 0, 'the answer');
    assert.deepEqual(await textsIn(ann, mid, mid), ['after it!']);
    assert.deepEqual(asked, [
      [true, 1],
      [true, 2],
      [true, 3],
      [false, 1],
    ]);
    assert.match(caught.join(), /^MediaError: The sender has not finished uploading .*,in the chat$/);
  });

  test('a refused answer goes to catch, and does not stay in the outbox', async () => {
    const ann = await person('ann');
    const { bot, mid } = await botOf(await server.user('bot'));
    const caught: unknown[] = [];
    bot
      .on('message', async (ctx) => {
        const answer = await ctx.reply('in the clear', { mode: 'plain' });
        await answer.sent().catch((error) => caught.push(error));
        await ctx.reply('sealed');
      })
      .catch((error, ctx) => caught.push(error, ctx));
    await bot.start();
    await ann.sealing.sendText(mid, 'hello');
    await until(async () => (await textsIn(ann, mid, mid)).length >= 1, 'the second answer');
    await until(() => caught.length === 3 && bot.client.outbox.all().length === 0, 'the refusal');
    const reasons = caught.map((error) => (error instanceof SendFailed ? error.reason : error));
    assert.deepEqual(reasons, ['must-be-sealed', 'must-be-sealed', undefined]);
  });

  test('a message that cannot be opened is an event of its own, and is logged if nobody wants it', async () => {
    const ann = await person('ann');
    const account = await server.user('bot');
    const first = await botOf(account);
    await first.bot.start();
    await first.bot.stop();
    // A login of the same account without its keys.
    const { bot, logger, mid } = await botOf(account);
    const opened: string[] = [];
    bot.on('message', (ctx) => opened.push(ctx.message.id));
    await bot.start();
    const { message } = await ann.sealing.sendText(mid, 'closed');
    await until(
      () => logger.problems.some((text) => text.startsWith(`message ${message.id} stays closed: `)),
      'a line',
    );
    assert.match(
      logger.problems.join('\n'),
      /^sealed messages stay closed: this device does not have the current key/m,
    );
    assert.equal(opened.length, 0);
    await bot.stop();
    const third = await botOf(account);
    third.bot.on('unopened', (ctx) => opened.push(String(ctx.unopened?.reason)));
    await third.bot.start();
    await ann.sealing.sendText(mid, 'closed too');
    await until(() => opened.length > 0, 'the event');
    assert.deepEqual(opened, ['unknown-key']);
    await third.bot.stop();
    assert.ok(!third.logger.problems.some((text) => text.startsWith('message ')));
  });

  test('different chats are served at the same time, one chat in order', async () => {
    const people = [await person('ann'), await person('ben'), await person('cid')] as const;
    const { bot, mid } = await botOf(await server.user('bot'), { parallel: 2 });
    let running = 0;
    let most = 0;
    const released = Promise.withResolvers<void>();
    const order: string[] = [];
    bot.on('message', async (ctx) => {
      running += 1;
      most = Math.max(most, running);
      order.push(`${ctx.sender.name} ${ctx.text}`);
      await released.promise;
      running -= 1;
    });
    await bot.start();
    for (const { sealing } of people) for (const n of [1, 2]) await sealing.sendText(mid, String(n));
    await until(() => running === 2, 'two chats at once');
    released.resolve();
    await until(() => order.length === 6, 'all events');
    assert.equal(most, 2);
    const wanted = ['ann 1', 'ann 2', 'ben 1', 'ben 2', 'cid 1', 'cid 2'];
    assert.deepEqual(order.toSorted(), wanted);
    for (const name of ['ann', 'ben', 'cid']) {
      assert.ok(order.indexOf(`${name} 1`) < order.indexOf(`${name} 2`), order.join());
    }
  });

  test('every operation is an event for those who ask, own acts included', async () => {
    const ann = await person('ann');
    const { bot, mid } = await botOf(await server.user('bot'));
    const types: number[] = [];
    bot.on('operation', (ctx) => types.push(ctx.operation.type));
    await bot.start();
    await ann.sealing.sendText(mid, 'hello');
    await bot.client.messaging.sendText(ann.mid, 'hello yourself');
    await until(
      () => types.includes(operationTypes.RECEIVE_MESSAGE) && types.includes(operationTypes.SEND_MESSAGE),
      'both operations',
    );
  });

  test('stop waits for handlers and the outbox, and takes no new events', async () => {
    const ann = await person('ann');
    const { bot, mid } = await botOf(await server.user('bot'));
    const begun = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    bot.on('message', async (ctx) => {
      begun.resolve();
      await released.promise;
      await ctx.reply(`${ctx.text}!`);
    });
    await bot.start();
    await ann.sealing.sendText(mid, 'one');
    await begun.promise;
    await ann.sealing.sendText(mid, 'two');
    const stopped = bot.stop({ limitMs: 60_000 });
    released.resolve();
    await stopped;
    assert.deepEqual(await textsIn(ann, mid, mid), ['one!']);
  });

  test('a handler that does not end is left behind at the limit, and its event is handled after the next start', async () => {
    const ann = await person('ann');
    const account = await server.user('bot');
    const store = await storeOf(account);
    const { bot } = await botOf(account, { store });
    const begun = Promise.withResolvers<AbortSignal>();
    bot.on('message', async (ctx) => {
      begun.resolve(ctx.signal);
      await new Promise(() => {});
    });
    await bot.start();
    await ann.sealing.sendText(account.mid, 'one');
    const signal = await begun.promise;
    await bot.stop({ limitMs: 1 });
    assert.equal(signal.aborted, true);
    const again = await botOf(account, { store });
    again.bot.on('message', (ctx) => ctx.reply('at last'));
    await again.bot.start();
    await until(async () => (await textsIn(ann, account.mid, account.mid)).length >= 1, 'the answer');
  });

  test('own records and keyed messages outlive the bot', async () => {
    const ann = await person('ann');
    const account = await server.user('bot');
    const store = await storeOf(account);
    const first = (await botOf(account, { store })).bot;
    await first.start();
    const numbers = first.records<{ n: number }>('numbers');
    await numbers.put('a', { n: 1 });
    await numbers.put('b', { n: 2 });
    await numbers.delete('a');
    assert.throws(() => first.records('no/name'), RangeError);
    await (await first.send(ann.mid, 'once', { key: 'greeting' })).sent();
    await first.stop();
    const second = (await botOf(account, { store })).bot;
    assert.throws(() => second.records('numbers').all(), /has not been started/);
    await second.start();
    assert.deepEqual(await second.records('numbers').all(), [['b', { n: 2 }]]);
    assert.deepEqual(await second.records('numbers').get('b'), { n: 2 });
    const known = await second.send(ann.mid, 'once more', { key: 'greeting' });
    assert.equal((await known.sent()).message.text, 'once');
    await second.forget('greeting');
    await (await second.send(ann.mid, 'twice', { key: 'greeting' })).sent();
    assert.deepEqual(await textsIn(ann, account.mid, account.mid), ['once', 'twice']);
  });

  test('files, stickers and places go to any chat, also outside of events, and once for each key', async () => {
    const [ann, ben] = [await person('ann'), await person('ben')];
    const account = await server.user('bot');
    const store = await storeOf(account);
    const { bot, mid } = await botOf(account, { store });
    bot.on('message', async (ctx) => {
      await ctx.sendFile(ben.mid, { kind: 'file', name: 'a.txt', bytes: new Blob(['a']) });
      await ctx.sendSticker(ben.mid, { packageId: '1', stickerId: '3' });
      await ctx.replyFile({ kind: 'file', name: 'b.txt', bytes: new Blob(['b']) }, { replyTo: ctx.message.id });
    });
    await bot.start();
    const { message } = await ann.sealing.sendText(mid, 'pass it on');
    const sent = async (someone: typeof ann) =>
      (await someone.sealing.history(mid, 100)).filter(({ from }) => from === mid).reverse();
    await until(async () => (await sent(ben)).length === 2 && (await sent(ann)).length === 1, 'both chats');
    assert.deepEqual(
      (await sent(ben)).map(({ contentType }) => contentType),
      [contentTypes.FILE, contentTypes.STICKER],
    );
    assert.equal((await sent(ann))[0]?.relatedMessageId, message.id);
    for (let time = 0; time < 2; time += 1) {
      const file = { kind: 'file', name: 'c.txt', bytes: new Blob(['c']) } as const;
      await (await bot.sendFile(ben.mid, file, { key: 'c' })).sent();
      await (await bot.sendLocation(ben.mid, { latitude: 1, longitude: 2, title: 'here' }, { key: 'd' })).sent();
      await (await bot.sendSticker(ben.mid, { packageId: '1', stickerId: '4' }, { key: 'e' })).sent();
    }
    assert.deepEqual((await sent(ben)).map(({ contentType }) => contentType).slice(2), [
      contentTypes.FILE,
      contentTypes.LOCATION,
      contentTypes.STICKER,
    ]);
    await bot.stop({ limitMs: 60_000 });
    assert.deepEqual(await rowsOf(store, mid, 'file-part/'), []);
  });

  test('logs in with a password, keeps the login in its folder, and logs in again when that has ended', async () => {
    const ann = await person('ann');
    const { userid, password, mid, client } = await server.user('bot');
    const dataDir = mkdtempSync(join(tmpdir(), 'sealpost-bot-'));
    try {
      const start = async (login: { userid: string; password: string }) => {
        const logger = new Told();
        const bot = createBot({ url: server.url, ...login, dataDir, logger });
        bots.push(bot);
        bot.on('message', (ctx) => ctx.reply(`${ctx.text}!`));
        await bot.start();
        return { bot, logger };
      };
      const first = await start({ userid, password });
      const inUse = createBot({ url: server.url, userid, password, dataDir, logger: new Told() });
      await assert.rejects(inUse.start(), { name: 'StoreError', kind: 'in-use' });
      await first.bot.stop();
      // The folder has the login, so the password does not matter.
      const second = await start({ userid, password: 'wrong' });
      const ended = assert.rejects(second.bot.ended, /the session has ended/);
      await client.devices.revokeOthers();
      await ended;
      await second.bot.stop();
      const third = await start({ userid, password });
      await ann.sealing.sendText(mid, 'hello');
      await until(async () => (await textsIn(ann, mid, mid)).length >= 1, 'the answer');
      await third.bot.stop();
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  });

  test('a store with the login of another account is refused, and a changed user id can be given', async () => {
    const [account, other] = [await server.user('bot'), await server.user('other')];
    const store = await storeOf(account);
    const start = async (userid: string) => {
      const { bot } = await botOf(account, { store, userid });
      try {
        await bot.start();
      } finally {
        await bot.stop();
      }
    };
    const refused = (stored: string, userid: string) => ({
      message: `The bot's folder or store has the login of "${stored}" (${account.mid}), and \`userid\` is "${userid}". Give each account a \`dataDir\` or \`store\` of its own. If the user id of the account was changed, give the new one.`,
    });
    await assert.rejects(start(other.userid), refused(account.userid, other.userid));
    await start(` ${account.userid.toUpperCase()}`);
    const changed = `${account.userid}-new`;
    await account.client.ownAccount.changeIdentifiers({ userid: changed, password: account.password });
    await start(changed);
    await assert.rejects(start(account.userid), refused(changed, account.userid));
  });

  test('a lost connection is told once, and that it is back', async () => {
    let isDown = true;
    const streams: AbortController[] = [];
    const { bot, logger } = await botOf(await server.user('bot'), {
      fetch: (input, init) => {
        if (isDown) return Promise.reject(new TypeError('no route'));
        const stream = new AbortController();
        streams.push(stream);
        const signal = AbortSignal.any([stream.signal, ...(init?.signal ? [init.signal] : [])]);
        return fetch(input, { ...init, signal });
      },
    });
    const lost = (): Promise<void> => until(() => logger.problems.length > 0, 'the problem');
    const started = bot.start();
    await lost();
    assert.deepEqual(logger.infos, []);
    isDown = false;
    await started;
    assert.deepEqual(logger.infos, ['online again']);
    assert.match(logger.problems[0] ?? '', /^no connection: .*no route/);
    logger.problems.length = 0;
    isDown = true;
    for (const stream of streams) stream.abort(new TypeError('cut'));
    await lost();
    isDown = false;
    await until(() => logger.infos.length > 1, 'the second info');
    assert.deepEqual(logger.infos, ['online again', 'online again']);
  });

  test('a wrong password is an error of start', async () => {
    const { userid } = await server.user('bot');
    const { bot } = await botOf(await server.user('other'), { userid, password: 'wrong', store: memoryStore() });
    await assert.rejects(bot.start(), (error) => error instanceof GatewayError);
  });

  test('run ends when the program stops the bot: outside of a handler, inside, before, and while it starts', async () => {
    const ann = await person('ann');
    const account = await server.user('bot');
    const store = await storeOf(account);
    const again = async () => (await botOf(account, { store })).bot;
    const outside = await again();
    await outside.start();
    const running = outside.run({ signals: [] });
    await outside.stop();
    await running;
    const inside = await again();
    let ended = 0;
    inside.on('message', async (ctx) => {
      await ctx.reply('bye');
      void inside.stop({ limitMs: 60_000 });
      ended += 1;
    });
    await inside.start();
    await ann.sealing.sendText(account.mid, 'stop');
    await inside.run({ signals: [] });
    assert.deepEqual(await textsIn(ann, account.mid, account.mid), ['bye']);
    assert.equal(ended, 1);
    assert.deepEqual(await rowsOf(store, account.mid, 'bot-inbox/'), [], 'the event is handled');
    await inside.run({ signals: [] });
    const early = await again();
    const starting = early.run({ signals: [] });
    await early.stop();
    await starting;
  });

  test('an address without its scheme, and an empty password for a login, are refused without asking the server', async () => {
    const account = await server.user('bot');
    for (const url of ['127.0.0.1:8787', 'localhost:8787', 'http://', '']) {
      const options = { url, userid: 'bot', password: 'secret', store: memoryStore() };
      const message = `\`url\` is "${url}"; it must begin with http:// or https://`;
      assert.throws(() => createBot(options), { name: 'TypeError', message });
    }
    let asked = 0;
    const fetch = () => Promise.reject(new Error(`request ${++asked}`));
    for (const [name, empty] of [
      ['password', { password: '' }],
      ['userid', { userid: '' }],
    ] as const) {
      const { bot } = await botOf(account, { store: memoryStore(), fetch, ...empty });
      const message = `The bot must log in, because it has no valid stored login, and \`${name}\` is empty.`;
      await assert.rejects(bot.start(), { message });
    }
    assert.equal(asked, 0);
    const { bot } = await botOf(account, { password: '' });
    await bot.start();
  });

  test('a bot that is stopped while it starts does not start', async () => {
    const { bot } = await botOf(await server.user('bot'), {
      fetch: (_, init) =>
        new Promise((_resolve, reject) => {
          init?.signal?.throwIfAborted();
          init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
        }),
    });
    const started = bot.start();
    const stopped = bot.stop();
    await assert.rejects(started);
    await stopped;
  });

  test('a bot that is stopped while it looks for invitations does not start', async () => {
    let stopped: Promise<void> | undefined;
    const { bot } = await botOf(await server.user('bot'), {
      acceptInvitations: true,
      fetch: (input, init) => {
        if (String(input).endsWith('/getAllChatMids')) stopped ??= bot.stop();
        return fetch(input, init);
      },
    });
    await assert.rejects(bot.start(), { name: 'AbortError' });
    assert.ok(stopped);
    await stopped;
  });

  test('logs in by QR code', async () => {
    const ann = await person('ann');
    const account = await person('bot');
    const { devices } = account.client;
    let address = '';
    const approved: Promise<unknown>[] = [];
    const bot = createBot({
      url: server.url,
      login: 'qr',
      store: memoryStore(),
      logger: new Told(),
      onQrCode(url) {
        address = url;
        approved.push(devices.scan(url).then((login) => devices.approve(login)));
      },
      onConfirmationNeeded(pinCode) {
        const typed = devices
          .offer(address)
          .then((offer) => devices.submitPin(address, { pinCode, words: offer?.words }));
        approved.push(typed);
      },
    });
    bots.push(bot);
    bot.on('message', (ctx) => ctx.reply(`${ctx.text}!`));
    await bot.start();
    await Promise.all(approved);
    assert.equal(approved.length, 2);
    await ann.sealing.sendText(account.mid, 'hello');
    await until(async () => (await textsIn(ann, account.mid, account.mid)).length >= 1, 'the answer');
    assert.deepEqual(await textsIn(ann, account.mid, account.mid), ['hello!']);
  });
});
