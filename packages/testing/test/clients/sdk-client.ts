// The SDK as the client under test: the echo bot of docs/client-grades.md, in the process of the test.
import { createHash } from 'node:crypto';
import { GatewayError, NetworkError } from '@sealpost/sdk';
import { type Bot, createBot, type MessageContext } from '@sealpost/sdk/bot';
import { folderStore } from '@sealpost/sdk/node';
import type { ClientEnvironment, ClientUnderTest, RunningClient } from '@sealpost/testing/grades';
import { type SkippableTime, skippableTime } from './skippable-time.ts';

const FILE = 14;
const PAGE = 100;
const FIRST_PAUSE_MS = 500;

export const sdkClient: ClientUnderTest = { start };

function start(environment: ClientEnvironment): RunningClient {
  const time = skippableTime();
  const ended = Promise.withResolvers<string>();
  const lines: string[] = [];
  const stopping = new AbortController();
  let bot: Bot | undefined;

  /** Starts the bot again when its session has ended, as a supervisor does. A wrong password ends it. */
  async function supervise(): Promise<void> {
    for (let pauseMs = FIRST_PAUSE_MS; !stopping.signal.aborted; pauseMs *= 2) {
      bot = echoBot(environment, time, lines);
      try {
        await bot.start();
        pauseMs = FIRST_PAUSE_MS;
        await Promise.race([bot.ended, aborted(stopping.signal)]);
      } catch (error) {
        lines.push(String(error));
        const later = error instanceof NetworkError || (error instanceof GatewayError && error.retry);
        const asked = error instanceof GatewayError ? error.retryAfterMs : undefined;
        if (stopping.signal.aborted) break;
        await bot.stop({ limitMs: 0 });
        if (!later && !/session has ended/.test(String(error))) return ended.resolve(`an error: ${String(error)}`);
        await new Promise<void>((resolve) => {
          time.timers.after(asked ?? pauseMs, resolve);
          stopping.signal.addEventListener('abort', () => resolve(), { once: true });
        });
      }
    }
    ended.resolve('stopped');
  }
  void supervise();
  return {
    ended: ended.promise,
    output: () => lines.slice(-8).join('\n'),
    pass: (ms) => time.pass(ms),
    async stop() {
      stopping.abort();
      await bot?.stop({ limitMs: 0 });
      time.stop();
      ended.resolve('stopped');
    },
  };
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

function echoBot(environment: ClientEnvironment, time: SkippableTime, lines: string[]): Bot {
  const bot = createBot({
    url: environment.SEALPOST_URL,
    userid: environment.SEALPOST_USERID,
    password: environment.SEALPOST_PASSWORD,
    buildToken: environment.SEALPOST_BUILD_TOKEN,
    brand: environment.SEALPOST_BRAND,
    store: folderStore(environment.SEALPOST_STATE_DIR),
    prefix: '!',
    acceptInvitations: true,
    clock: time.clock,
    timers: time.timers,
    fetch: time.fetch,
    logger: {
      info: (text) => lines.push(text),
      problem: (text, error) => lines.push(`${text}: ${String(error ?? '')}`),
    },
  });
  bot.command('history', async (ctx) => ctx.reply(`history: ${await countOf(ctx)}`));
  bot.command('contacts', async (ctx) => {
    const { contacts } = ctx.client;
    return ctx.reply(`contacts: ${(await contacts.get(await contacts.mids())).size}`);
  });
  bot.command('chats', async (ctx) => {
    const { chats } = ctx.client;
    return ctx.reply(`chats: ${(await chats.get((await chats.mids()).joined)).size}`);
  });
  bot.command('boxes', (ctx) => ctx.reply(`boxes: ${ctx.client.replica.chats().length}`));
  bot.command('react', async (ctx) => {
    await ctx.react('NICE');
    return ctx.reply('reacted: yes');
  });
  bot.command('unsend', async (ctx) => {
    const { message } = await (await ctx.reply('gone soon')).sent();
    const done = await ctx.client.messaging.unsend(message.id).then(
      () => 'yes',
      () => 'no',
    );
    return ctx.reply(`unsent: ${done}`);
  });
  bot.command('group', async (ctx) => {
    const mid = await ctx.client.chats.createGroup({ name: ctx.rest, members: [ctx.sender.mid] });
    return ctx.reply(`group: ${mid}`);
  });
  bot.command('upload', async (ctx) => {
    const size = Number(ctx.rest);
    const bytes = Uint8Array.from({ length: size }, (_, index) => index % 251);
    await (await ctx.replyFile({ kind: 'file', name: 'graded.bin', bytes: new Blob([bytes]) })).sent();
    return ctx.reply(`uploaded: ${size}`);
  });
  bot.command('download', async (ctx) => ctx.reply(`downloaded: ${await downloaded(ctx)}`));
  bot.on('message:text', (ctx) => ctx.reply(`echo: ${ctx.text}`));
  return bot;
}

async function countOf({ client, chatMid }: MessageContext): Promise<number> {
  let count = 0;
  for await (const _message of client.messaging.history(chatMid, { pageSize: PAGE })) count += 1;
  return count;
}

/** Reads the newest file of the chat. */
async function downloaded({ client, chatMid }: MessageContext): Promise<string> {
  for await (const message of client.messaging.history(chatMid)) {
    if (message.contentType !== FILE) continue;
    const opened = await client.media.open(message);
    const hash = createHash('sha256');
    for await (const part of opened.bytes()) hash.update(part);
    return `${opened.size} ${hash.digest('hex')}`;
  }
  return 'no file';
}
