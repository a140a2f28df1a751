// Runs the bots of docs/bots.md as that page says.
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { after, before, beforeEach, describe, test } from 'node:test';
import { chatTypes, contentTypes } from '@sealpost/contract';
import { type ServerProcess, startServer } from '@sealpost/dev-env/server-process';
import { until } from '@sealpost/dev-env/until';
import { createRpcClient, createSealingClient, type RpcClient, type SealingClient } from '@sealpost/sdk';
import sharp from 'sharp';
import { DocsPrograms, type RunningProgram } from './docs-programs.ts';

interface Person {
  readonly mid: string;
  readonly userid: string;
  readonly client: RpcClient;
  readonly sealing: SealingClient;
}

/** What the bridge tells the other network. */
interface Told {
  readonly id: string;
  readonly text?: string;
  readonly replyTo?: string;
  readonly unsent?: boolean;
  readonly reaction?: string;
  readonly readBy?: string;
  readonly picture?: string;
}

describe('the bots of the page on bots', () => {
  const programs = new DocsPrograms('bots.md');
  const clients: RpcClient[] = [];
  let server: ServerProcess;
  let alice: Person;
  let account: Awaited<ReturnType<ServerProcess['createAccount']>>;
  let bots = 0;

  before(async () => {
    programs.link('sharp', join(import.meta.dirname, '../../../node_modules/sharp'));
    server = await startServer();
    alice = await person('alice');
  });
  beforeEach(async () => {
    bots += 1;
    account = await server.createAccount(`robot-${bots}`);
  });
  after(async () => {
    for (const client of clients) client.close();
    programs.dispose();
    await server?.dispose();
  });

  /** Somebody with a key, so that all messages are sealed. */
  async function person(userid: string): Promise<Person> {
    const { mid, password } = await server.createAccount(userid);
    const client = createRpcClient({ url: server.url });
    clients.push(client);
    await client.login({ identifier: userid, password });
    const sealing = createSealingClient(client);
    await sealing.ownKey();
    return { mid, userid, client, sealing };
  }

  async function start(chapter: string, name: string, more: Record<string, string> = {}): Promise<RunningProgram> {
    // Each test has its own account, so it needs its own folder.
    programs.write(name, programs.read(chapter).replace(/dataDir: '[^']+/, `$&-${bots}`));
    const env = { BOT_URL: server.url, BOT_USER: account.userid, BOT_PASSWORD: account.password, ...more };
    const bot = programs.start(name, env);
    await bot.wrote('listening\n');
    return bot;
  }

  const answers = async (chatMid: string, reader = alice) =>
    (await reader.sealing.history(chatMid, 50))
      .filter(({ from, contentType }) => from === account.mid && contentType !== contentTypes.CHATEVENT)
      .reverse();
  const texts = async (chatMid: string) => (await answers(chatMid)).map(({ text }) => text);
  const answered = (chatMid: string, wanted: readonly string[], { output }: RunningProgram) =>
    until(async () => (await texts(chatMid)).length >= wanted.length, `the answers; ${output()}`).then(async () =>
      assert.deepEqual(await texts(chatMid), wanted),
    );

  test('the echo bot answers each text once, sealed, over restarts and without a second login', async () => {
    const { mid } = account;
    const first = await start('An echo bot', 'echo-bot.ts');
    await alice.sealing.sendText(mid, 'one');
    await answered(mid, ['one'], first);
    assert.equal(await first.kill('SIGTERM'), 0, first.output());
    await alice.sealing.sendText(mid, 'two');
    account = { ...account, password: 'no longer needed' };
    const second = await start('An echo bot', 'echo-bot.ts');
    await answered(mid, ['one', 'two'], second);
    await alice.sealing.sendText(mid, '/help');
    await second.kill('SIGKILL');
    const third = await start('An echo bot', 'echo-bot.ts');
    await alice.sealing.sendText(mid, 'three');
    await answered(mid, ['one', 'two', 'I repeat what you write.', 'three'], third);
    assert.ok((await answers(mid)).every(({ sealing }) => sealing.state === 'opened'));
    assert.equal(await third.kill('SIGINT'), 0, third.output());
  });

  test('the bot for groups welcomes, renames and removes, for its admin only', async () => {
    const [bert, carl] = [await person('bert'), await person('carl')];
    const bot = await start('A bot for groups', 'group-bot.ts');
    const { TalkService, nextReqSeq } = alice.client;
    const targetUserMids = [account.mid, bert.mid, carl.mid];
    const { chat } = await TalkService.createChat({
      reqSeq: nextReqSeq(),
      type: chatTypes.GROUP,
      name: 'club',
      targetUserMids,
    });
    const { chatMid } = chat;
    const group = async () => (await TalkService.getChats({ chatMids: [chatMid], withMembers: true })).chats[0];
    const members = async () => (await group())?.extra?.groupExtra?.memberMids ?? [];
    await until(async () => (await members()).includes(account.mid), `the bot joins; ${bot.output()}`);
    await bert.client.TalkService.acceptChatInvitation({ reqSeq: nextReqSeq(), chatMid });
    const said = ['Welcome, bert!'];
    await answered(chatMid, said, bot);
    await carl.client.TalkService.acceptChatInvitation({ reqSeq: nextReqSeq(), chatMid });
    said.push('Welcome, carl!');
    await answered(chatMid, said, bot);
    await bert.sealing.sendText(chatMid, '/kick carl');
    said.push('Only alice may do that, in a group.');
    await answered(chatMid, said, bot);
    await alice.sealing.sendText(chatMid, '/rename tea club');
    said.push('This is tea club now.');
    await answered(chatMid, said, bot);
    assert.equal((await group())?.chatName, 'tea club');
    await alice.sealing.sendText(chatMid, '/kick dora');
    said.push('Nobody here is called dora.');
    await answered(chatMid, said, bot);
    await alice.sealing.sendText(chatMid, '/kick carl');
    said.push('Goodbye, carl.');
    await answered(chatMid, said, bot);
    await until(async () => !(await members()).includes(carl.mid), `carl is removed; ${bot.output()}`);
    assert.equal(await bot.kill('SIGTERM'), 0, bot.output());
  });

  test('the bot for pictures sends them back smaller', async () => {
    const bot = await start('A bot for pictures', 'picture-bot.ts');
    const large = await sharp({ create: { width: 1000, height: 500, channels: 3, background: 'teal' } })
      .png()
      .toBuffer();
    const media = alice.client.media(alice.sealing);
    await media.send(account.mid, { kind: 'image', name: 'large.png', bytes: new Blob([new Uint8Array(large)]) });
    await until(async () => (await answers(account.mid)).length === 1, `a picture; ${bot.output()}`);
    const [answer] = await answers(account.mid);
    assert.ok(answer?.sealing.state === 'opened');
    const parts: Uint8Array[] = [];
    for await (const part of (await media.open(answer)).bytes()) parts.push(part);
    const { format, width, height } = await sharp(Buffer.concat(parts)).metadata();
    assert.deepEqual({ format, width, height }, { format: 'jpeg', width: 320, height: 160 });
    assert.equal(await bot.kill('SIGTERM'), 0, bot.output());
  });

  test('the bot for reminders sends them once, also after it was killed', async () => {
    const { mid } = account;
    const first = await start('A bot with records of its own', 'reminder-bot.ts');
    await alice.sealing.sendText(mid, '/remind later');
    await alice.sealing.sendText(mid, '/remind 2s tea');
    await alice.sealing.sendText(mid, '/remind 90h rent');
    const said = ['Write for example: /remind 10m tea', 'I remind you in 2s.', 'I remind you in 90h.'];
    await until(async () => (await texts(mid)).length >= said.length, `the answers; ${first.output()}`);
    await first.kill('SIGKILL');
    const second = await start('A bot with records of its own', 'reminder-bot.ts');
    await until(async () => (await texts(mid)).length > said.length, `the reminder; ${second.output()}`);
    assert.deepEqual((await texts(mid)).toSorted(), [...said, 'Reminder: tea'].toSorted());
    assert.equal(await second.kill('SIGTERM'), 0, second.output());
  });

  test('the bridge carries messages both ways, over outages of the other network and of itself', async () => {
    const { mid } = account;
    const told: Told[] = [];
    let isAway = true;
    const other = createServer(async (request, response) => {
      const message = await toldIn(request);
      if (!isAway && !told.some(({ id, unsent }) => id === message.id && unsent === message.unsent)) told.push(message);
      response.writeHead(isAway ? 503 : 204).end();
    });
    const OTHER_URL = await listen(other);
    const PORT = await freePort();
    const env = { OTHER_URL, PORT };
    try {
      const first = await start('A bridge', 'bridge-bot.ts', env);
      const { message } = await alice.sealing.sendText(mid, 'one');
      await alice.sealing.sendText(mid, 'two');
      await until(() => first.output().includes('It is tried again'), `a failed try; ${first.output()}`);
      await first.kill('SIGKILL');
      isAway = false;
      const second = await start('A bridge', 'bridge-bot.ts', env);
      await until(() => told.length === 2, `both texts; ${second.output()}`);
      await alice.client.TalkService.unsendMessage(alice.client.nextReqSeq(), message.id);
      await until(() => told.length === 3, `the unsend; ${second.output()}`);
      assert.deepEqual(
        told.map(({ text, unsent }) => text ?? unsent),
        ['one', 'two', true],
      );
      const picture = await sharp({ create: { width: 10, height: 10, channels: 3, background: 'teal' } })
        .jpeg()
        .toBuffer();
      const body = { id: 'x1', chatMid: mid, sender: 'Zoe', text: 'hello', picture: picture.toString('base64') };
      const post = (what: object) =>
        fetch(`http://127.0.0.1:${PORT}/`, { method: 'POST', body: JSON.stringify({ ...body, ...what }) });
      assert.equal((await post({ chatMid: alice.mid })).status, 204);
      assert.equal((await post({ chatMid: alice.mid })).status, 204);
      await until(async () => (await answers(mid)).length >= 2, `both; ${second.output()}`);
      const came = await answers(mid);
      assert.deepEqual(
        came.map(({ contentType, text }) => [contentType, text]),
        [
          [contentTypes.NONE, 'Zoe: hello'],
          [contentTypes.IMAGE, undefined],
        ],
      );
      assert.equal((await post({ text: 5, chatMid: 5 })).status, 500);
      assert.equal(await second.kill('SIGTERM'), 0, second.output());
    } finally {
      other.close();
    }
  });

  test('the bridge carries replies, reactions, read marks, pictures and unsent messages, over a restart too', async () => {
    const { mid } = account;
    const { TalkService, nextReqSeq } = alice.client;
    const told: Told[] = [];
    const other = createServer(async (request, response) => {
      told.push(await toldIn(request));
      response.writeHead(204).end();
    });
    const env = { OTHER_URL: await listen(other), PORT: await freePort() };
    const post = async (what: object) => {
      const body = JSON.stringify({ chatMid: alice.mid, sender: 'Zoe', text: 'hello', ...what });
      const { status } = await fetch(`http://127.0.0.1:${env.PORT}/`, { method: 'POST', body });
      return status;
    };
    const tells = (what: Partial<Told>) =>
      until(
        () =>
          told.some((one) =>
            Object.entries(what).every(([name, value]) =>
              Object.entries(one).some(([key, found]) => key === name && found === value),
            ),
          ),
        `${JSON.stringify(what)}; ${JSON.stringify(told)}`,
      );
    try {
      const first = await start('A bridge', 'bridge-bot.ts', env);
      const { message: asked } = await alice.sealing.sendText(mid, 'who is there?');
      await tells({ id: asked.id, text: 'who is there?' });
      assert.equal(await post({ id: 'x1', replyTo: asked.id }), 204);
      assert.equal(await post({ id: asked.id, reaction: 'LOVE' }), 204);
      const [hello] = await answers(mid);
      assert.ok(hello);
      assert.deepEqual([hello.text, hello.relatedMessageId], ['Zoe: hello', asked.id]);
      assert.ok(
        (await alice.sealing.history(mid, 10)).some(({ id, reactions }) => id === asked.id && reactions?.length === 1),
      );
      assert.equal(await first.kill('SIGTERM'), 0, first.output());
      const second = await start('A bridge', 'bridge-bot.ts', env);
      assert.equal(await post({ id: 'x1', replyTo: asked.id }), 204);
      assert.equal((await answers(mid)).length, 1);
      const reply = { to: mid, contentType: contentTypes.NONE, text: 'hello Zoe' };
      await alice.sealing.send({
        ...reply,
        relatedMessageId: hello.id,
        messageRelationType: 3,
        relatedMessageServiceCode: 1,
      });
      await tells({ text: 'hello Zoe', replyTo: 'x1' });
      await TalkService.sendChatChecked(nextReqSeq(), mid, hello.id);
      await tells({ id: 'x1', readBy: 'alice' });
      await TalkService.react({
        reqSeq: nextReqSeq(),
        messageId: hello.id,
        reactionType: { predefinedReactionType: 3 },
      });
      await tells({ id: 'x1', reaction: 'LOVE' });
      const bytes = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'teal' } })
        .jpeg()
        .toBuffer();
      const file = { kind: 'image', name: 'a.jpg', bytes: new Blob([new Uint8Array(bytes)]) } as const;
      const { id } = await alice.client.media(alice.sealing).send(mid, file);
      await until(
        () => told.some((one) => one.id === `${id}/picture` && one.picture),
        `the picture; ${second.output()}`,
      );
      await TalkService.unsendMessage(nextReqSeq(), asked.id);
      await tells({ id: asked.id, unsent: true });
      assert.equal(await post({ id: 'x1', unsent: true }), 204);
      assert.equal((await answers(mid))[0]?.contentMetadata.UNSENT, 'true');
      assert.equal(await second.kill('SIGTERM'), 0, second.output());
    } finally {
      other.close();
      other.closeAllConnections();
    }
  });
});

const toldIn = async (request: IncomingMessage): Promise<Told> => (await json(request)) as Told;

/** Starts a server on a free port, and returns its address. */
async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

async function freePort(): Promise<string> {
  const server = createServer();
  const { port } = new URL(await listen(server));
  await new Promise((resolve) => server.close(resolve));
  return port;
}
