// Runs the programs of docs/sdk.md as that page says, in a folder outside of the project that links to the SDK.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { adminToken, type ServerProcess, startServer } from '@sealpost/dev-env/server-process';
import { createRpcClient, createSealingClient, type RpcClient, type SealingClient } from '@sealpost/sdk';

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
  let bob: RpcClient;
  let sealing: SealingClient;
  let bot: ChildProcess | undefined;
  let account: Awaited<ReturnType<ServerProcess['createAccount']>>;

  before(async () => {
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    mkdirSync(join(folder, 'node_modules/@sealpost'), { recursive: true });
    symlinkSync(join(import.meta.dirname, '../../sdk'), join(folder, 'node_modules/@sealpost/sdk'));
    server = await startServer();
    account = await server.createAccount('robot');
    // Bob gets a key here, because messages are sealed only if the recipient has a key.
    const { password } = await server.createAccount('bob');
    bob = createRpcClient({ url: server.url });
    await bob.login({ identifier: 'bob', password });
    sealing = createSealingClient(bob);
    await sealing.ownKey();
  });
  after(async () => {
    bob?.close();
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
    // Only the first run gets the password: later runs must work with the stored session.
    const env = { BOT_URL: server.url, ...(bot ? {} : { BOT_USER: account.userid, BOT_PASSWORD: account.password }) };
    const started = start('echo-bot.ts', env);
    bot = started;
    await until('listening', () => started.output().includes('listening from'), started.output);
    return started;
  }

  const echoes = async () =>
    (await sealing.history(account.mid, 50)).filter(({ from }) => from === account.mid).reverse();
  const texts = async () => (await echoes()).map(({ text }) => text);

  test('the first program sends, sealed, also the second time and beside a command line that has keys', async () => {
    const program = programOf('A first program')
      .replace('http://127.0.0.1:8787', server.url)
      .replace("'robot-sealpost'", `'${account.password}'`);
    writeFileSync(join(folder, 'first.ts'), program);
    for (let run = 0; run < 2; run++) {
      const first = start('first.ts');
      assert.equal(await ended(first), 0, first.output());
      assert.match(first.output(), /^sent \d+, sealed\n$/);
    }
    assert.deepEqual(await texts(), ['hello', 'hello']);
  });

  test('the program of the operator creates accounts, keeps those that are there, and lists all', async () => {
    writeFileSync(join(folder, 'operator.ts'), programOf('As operator'));
    const env = { SEALPOST_URL: server.url, SEALPOST_ADMIN_TOKEN: adminToken };
    const first = start('operator.ts', env);
    assert.equal(await ended(first), 0, first.output());
    assert.match(first.output(), /^created Carla: u[0-9a-f]{32}\ncreated Dora: /);
    assert.match(first.output(), /^carla enabled$/m);
    const second = start('operator.ts', env);
    assert.equal(await ended(second), 0, second.output());
    assert.match(second.output(), /^kept Carla: the userid "carla" is taken$/m);
  });

  test('the echo bot answers each text once, over restarts and without a second login', async () => {
    writeFileSync(join(folder, 'echo-bot.ts'), programOf('An echo bot'));
    const first = await startBot();
    await sealing.sendText(account.mid, 'one');
    await until('the first answer', async () => (await texts()).includes('one'), first.output);
    const before = readFileSync(join(folder, 'revision'), 'utf8');
    first.kill('SIGTERM');
    assert.equal(await ended(first), 0, first.output());

    await sealing.sendText(account.mid, 'two');
    const second = await startBot();
    await until('the second answer', async () => (await texts()).includes('two'), second.output);
    second.kill('SIGKILL');
    await ended(second);

    // Restores an older revision, as if the bot had died before it stored which texts it had answered.
    writeFileSync(join(folder, 'revision'), before);
    await sealing.sendText(account.mid, 'three');
    const third = await startBot();
    await until('the third answer', async () => (await texts()).includes('three'), third.output);
    assert.deepEqual(await texts(), ['hello', 'hello', 'one', 'two', 'three']);
    assert.ok((await echoes()).every((message) => message.sealing.state === 'opened'));
    third.kill('SIGTERM');
    await ended(third);
  });

  test('the echo bot says why it does not answer', async () => {
    rmSync(join(folder, 'keys'), { recursive: true });
    const started = await startBot();
    assert.match(started.output(), /sealed messages stay closed: this device does not have the current key/);
    const { message } = await sealing.sendText(account.mid, 'four');
    const line = new RegExp(`message ${message.id} stays closed: .* What helps: log in anew`);
    await until('the line', () => line.test(started.output()), started.output);
    assert.ok(!(await texts()).includes('four'));
  });
});
