// The programs of docs/sdk.md, each run as the page says: in a folder of its own that links the SDK.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type Client, createClient } from '@sealpost/sdk';
import { type ServerProcess, startServer } from './server-process.ts';

const page = readFileSync(new URL('../../../docs/sdk.md', import.meta.url), 'utf8');
const TIMEOUT_MS = 30_000;

function programOf(chapter: string): string {
  const text = page.split('\n## ').find((part) => part.startsWith(`${chapter}\n`)) ?? '';
  const [, program] = /```ts\n([\s\S]*?)```/.exec(text) ?? [];
  assert.ok(program, chapter);
  return program;
}

describe('the programs of the page on the SDK', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sealpost-bot-'));
  let server: ServerProcess;
  let alice: Client;
  let bot: ChildProcess | undefined;
  let account: Awaited<ReturnType<ServerProcess['createAccount']>>;

  before(async () => {
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    mkdirSync(join(folder, 'node_modules/@sealpost'), { recursive: true });
    symlinkSync(join(import.meta.dirname, '../../sdk'), join(folder, 'node_modules/@sealpost/sdk'));
    server = await startServer();
    account = await server.createAccount('carol');
    const { password } = await server.createAccount('alice');
    alice = createClient({ url: server.url });
    await alice.login({ identifier: 'alice', password });
  });
  after(async () => {
    alice?.close();
    bot?.kill('SIGKILL');
    await server?.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  function start(name: string, env: Record<string, string> = {}): ChildProcess & { readonly output: () => string } {
    const child = spawn(process.execPath, [name], { cwd: folder, env: { ...process.env, ...env } });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part) => (text += part));
    return Object.assign(child, { output: () => text });
  }

  async function until(what: string, holds: () => boolean | Promise<boolean>, told: () => string): Promise<void> {
    const deadline = Date.now() + TIMEOUT_MS;
    while (!(await holds())) {
      if (Date.now() > deadline) throw new Error(`${what} did not happen:\n${told()}`);
      await pause(50);
    }
  }

  const ended = (child: ChildProcess): Promise<number | null> =>
    new Promise((resolve) => (child.exitCode === null ? child.once('exit', resolve) : resolve(child.exitCode)));

  async function startBot() {
    // After the first run the session alone must do.
    const env = { BOT_URL: server.url, ...(bot ? {} : { BOT_USER: account.userid, BOT_PASSWORD: account.password }) };
    const started = start('echo-bot.ts', env);
    bot = started;
    await until('listening', () => started.output().includes('listening from'), started.output);
    return started;
  }

  const echoes = async (): Promise<(string | undefined)[]> =>
    (await alice.TalkService.getRecentMessagesV2(account.mid, 50))
      .filter(({ from }) => from === account.mid)
      .map(({ text }) => text)
      .reverse();

  test('the first program sends', async () => {
    const { password } = await server.createAccount('bob');
    const program = programOf('A first program')
      .replace('http://127.0.0.1:8787', server.url)
      .replace("identifier: 'alice', password: 'alice-sealpost'", `identifier: 'bob', password: '${password}'`)
      .replace("findContactByUserid('bob')", "findContactByUserid('alice')");
    writeFileSync(join(folder, 'first.ts'), program);
    const first = start('first.ts');
    assert.equal(await ended(first), 0, first.output());
    assert.match(first.output(), /^sent \d+\n$/);
  });

  test('the echo bot answers each text once, over restarts and without a second login', async () => {
    writeFileSync(join(folder, 'echo-bot.ts'), programOf('An echo bot'));
    const first = await startBot();
    await alice.sendText(account.mid, 'one');
    await until('the first answer', async () => (await echoes()).length === 1, first.output);
    const before = readFileSync(join(folder, 'revision'), 'utf8');
    first.kill('SIGTERM');
    assert.equal(await ended(first), 0, first.output());

    await alice.sendText(account.mid, 'two');
    const second = await startBot();
    await until('the second answer', async () => (await echoes()).length === 2, second.output);
    second.kill('SIGKILL');
    await ended(second);

    // As if it had died before it noted what it had answered.
    writeFileSync(join(folder, 'revision'), before);
    await alice.sendText(account.mid, 'three');
    const third = await startBot();
    await until('the third answer', async () => (await echoes()).includes('three'), third.output);
    assert.deepEqual(await echoes(), ['one', 'two', 'three']);
  });
});
