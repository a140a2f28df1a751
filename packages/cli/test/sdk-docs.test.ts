// Runs the programs of docs/sdk.md as that page says.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { adminToken, type ServerProcess, startServer } from '@sealpost/dev-env/server-process';
import { until } from '@sealpost/dev-env/until';
import { createRpcClient, createSealingClient, type RpcClient, type SealingClient } from '@sealpost/sdk';
import { DocsPrograms } from './docs-programs.ts';

describe('the programs of the page on the SDK', () => {
  const programs = new DocsPrograms('sdk.md');
  let server: ServerProcess;
  let bob: RpcClient;
  let sealing: SealingClient;
  let account: Awaited<ReturnType<ServerProcess['createAccount']>>;

  before(async () => {
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
    programs.dispose();
    await server?.dispose();
  });

  const programOf = (chapter: string): string =>
    programs
      .read(chapter)
      .replace('http://127.0.0.1:8787', server.url)
      .replace(/'\w+-sealpost'/, `'${account.password}'`);
  const texts = async () =>
    (await sealing.history(account.mid, 50))
      .filter(({ from }) => from === account.mid)
      .map(({ text }) => text)
      .reverse();

  test('the first program sends, sealed, also the second time and beside a command line that has keys', async () => {
    programs.write('first.ts', programOf('A first program'));
    for (let run = 0; run < 2; run++) {
      const first = programs.start('first.ts');
      assert.equal(await first.ended(), 0, first.output());
      assert.match(first.output(), /^sent \d+, sealed\n$/);
    }
    assert.deepEqual(await texts(), ['hello', 'hello']);
  });

  test('the program of the operator creates accounts, keeps those that are there, and lists all', async () => {
    programs.write('operator.ts', programOf('As operator'));
    const env = { SEALPOST_URL: server.url, SEALPOST_ADMIN_TOKEN: adminToken };
    const first = programs.start('operator.ts', env);
    assert.equal(await first.ended(), 0, first.output());
    assert.match(first.output(), /^created Carla: u[0-9a-f]{32}\ncreated Dora: /);
    assert.match(first.output(), /^carla enabled$/m);
    const second = programs.start('operator.ts', env);
    assert.equal(await second.ended(), 0, second.output());
    assert.match(second.output(), /^kept Carla: the userid "carla" is taken$/m);
  });

  test('the echo bot answers', async () => {
    account = await server.createAccount('echo');
    programs.write('echo-bot.ts', programOf('An echo bot'));
    const bot = programs.start('echo-bot.ts');
    // It does not say when it listens, and what comes before its first start is not for it.
    await until(async () => {
      assert.equal(bot.child.exitCode, null, bot.output());
      await sealing.sendText(account.mid, 'hello?');
      return (await texts()).length > 0;
    }, 'an answer');
    assert.equal((await texts())[0], 'hello?');
    assert.equal(await bot.kill('SIGTERM'), 0, bot.output());
  });
});
