// A bot that is killed at any point of its work answers every message once, in the order of its chat.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { chatTypes, contentTypes } from '@sealpost/contract';
import { seed } from '@sealpost/dev-env/chance';
import { startServer, type TestServer } from '@sealpost/dev-env/harness';
import { repeats } from '@sealpost/dev-env/repeats';
import { until } from '@sealpost/dev-env/until';
import { createRandom } from '@sealpost/dev-env/workload/random';
import { createSealingClient, type OpenedMessage, type SealingClient } from '@sealpost/sdk';

const KILLS = repeats(12);
const MESSAGES = repeats(80);
/** The most commits and requests, each counted before and after, that a run makes before it is killed. */
const STEPS = 90;

interface Chat {
  readonly chatMid: string;
  readonly sent: string[];
}

let server: TestServer;
let bot: ChildProcess | undefined;
const folder = mkdtempSync(join(tmpdir(), 'sealpost-killed-bot-'));

before(async () => {
  server = await startServer();
});
after(async () => {
  bot?.kill('SIGKILL');
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

test('a bot that is killed at random points answers each message once and in order', async () => {
  const random = createRandom(seed);
  const account = await server.user('robot');
  const people = [await server.user('ann'), await server.user('ben')] as const;
  const [ann, ben] = people;
  const [annSealing, benSealing] = people.map(({ client }) => createSealingClient(client)) as [
    SealingClient,
    SealingClient,
  ];
  await annSealing.ownKey();
  await benSealing.ownKey();
  let output = '';

  function start(steps?: number): ChildProcess {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'killed-bot.ts')], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        BOT_URL: server.url,
        BOT_USERID: account.userid,
        BOT_PASSWORD: account.password,
        BOT_FOLDER: folder,
        BOT_STEPS: steps === undefined ? '' : String(steps),
      },
    });
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part) => (output += part));
    bot = child;
    return child;
  }
  const runs = (child: ChildProcess): boolean => child.exitCode === null && child.signalCode === null;

  /** The messages of a chat, the oldest first. */
  async function history(sealing: SealingClient, chatMid: string): Promise<OpenedMessage[]> {
    const messages = await sealing.history(chatMid, 10 * MESSAGES);
    return messages.filter(({ contentType }) => contentType === contentTypes.NONE).reverse();
  }

  const answersIn = async (sealing: SealingClient, chatMid: string): Promise<(string | undefined)[]> =>
    (await history(sealing, chatMid)).filter(({ from }) => from === account.mid).map(({ text }) => text);

  // The first run is whole: what comes before it ends is not for the bot.
  const first = start();
  await until(() => output.includes('started') || !runs(first), `the bot has started; ${output}`);
  const { client } = ann;
  const { chat } = await client.TalkService.createChat({
    reqSeq: client.nextReqSeq(),
    type: chatTypes.GROUP,
    name: 'all',
    targetUserMids: [account.mid, ben.mid],
  });
  await ben.client.TalkService.acceptChatInvitation({ reqSeq: ben.client.nextReqSeq(), chatMid: chat.chatMid });
  const isMember = async (): Promise<boolean> => {
    const { chats } = await client.TalkService.getChats({ chatMids: [chat.chatMid], withMembers: true });
    return chats[0]?.extra?.groupExtra?.memberMids?.includes(account.mid) ?? false;
  };
  await until(async () => (await isMember()) || !runs(first), `the bot is a member; ${output}`);
  first.kill('SIGKILL');
  await once(first, 'exit');

  const ofAnn: Chat = { chatMid: account.mid, sent: [] };
  const ofBen: Chat = { chatMid: account.mid, sent: [] };
  const ofAll: Chat = { chatMid: chat.chatMid, sent: [] };
  const places = [
    { sealing: annSealing, to: ofAnn },
    { sealing: benSealing, to: ofBen },
    { sealing: annSealing, to: ofAll },
    { sealing: benSealing, to: ofAll },
  ];
  let sent = 0;
  async function sendOne(): Promise<void> {
    const { sealing, to } = random.pick(places);
    sent += 1;
    await sealing.sendText(to.chatMid, `message ${sent}`);
    to.sent.push(`message ${sent}`);
  }
  const allAnswered = async (): Promise<boolean> => {
    const counts = [
      (await answersIn(annSealing, account.mid)).length,
      (await answersIn(benSealing, account.mid)).length,
      (await answersIn(annSealing, chat.chatMid)).length,
    ];
    return counts.reduce((sum, count) => sum + count, 0) >= 2 * sent;
  };

  // A run that finds no more work before its last step does not count, and the next one gets fewer steps.
  let killed = 0;
  for (let steps = STEPS; killed < KILLS; ) {
    const child = start(1 + random.below(steps));
    const upTo = Math.ceil((MESSAGES * (killed + 1)) / KILLS);
    while (sent < upTo) await sendOne();
    await until(async () => !runs(child) || (await allAnswered()), `the bot ends or has answered; ${output}`);
    if (runs(child)) {
      child.kill('SIGKILL');
      await once(child, 'exit');
      steps = Math.max(1, Math.floor(steps / 2));
    } else {
      assert.equal(child.signalCode, 'SIGKILL', output);
      killed += 1;
      steps = STEPS;
    }
  }
  const last = start();
  await until(async () => !runs(last) || (await allAnswered()), `everything is answered; ${output}`);
  last.kill('SIGTERM');
  await once(last, 'exit');
  assert.equal(last.exitCode, 0, output);

  const answersTo = ({ sent: texts }: Chat): string[] =>
    texts.flatMap((text) => [`first answer to ${text}`, `second answer to ${text}`]);
  assert.equal(sent, MESSAGES);
  assert.deepEqual(await answersIn(annSealing, account.mid), answersTo(ofAnn));
  assert.deepEqual(await answersIn(benSealing, account.mid), answersTo(ofBen));
  assert.deepEqual(await answersIn(benSealing, chat.chatMid), answersTo(ofAll));
  assert.ok((await history(annSealing, chat.chatMid)).every(({ sealing }) => sealing.state === 'opened'));
});
