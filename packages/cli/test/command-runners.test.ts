// Tests that a command which runs in the process of an earlier one finds nothing of it, and ends as in its own process.
import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { commandRunners } from '@sealpost/dev-env/command-runners';

/** A program that leaves all it can in its process, or tells what it finds there. */
const PROGRAM = `
  const emitters = [process, process.stdout, process.stderr];
  const leave = () => {
    process.env.LEFT = 'left';
    delete process.env.GIVEN;
    process.chdir('/');
    process.exitCode = 9;
    for (const emitter of emitters) for (const name of ['SIGINT', 'error', 'left']) emitter.on(name, () => {});
    process.stdout.write('left');
  };
  const look = async () => {
    const listeners = emitters.map((one) => one.eventNames().map((name) => [String(name), one.listenerCount(name)]));
    const input = await process.stdin.toArray();
    const { env, exitCode } = process;
    process.stderr.write(JSON.stringify({ listeners, input: input.join(''), env, exitCode, cwd: process.cwd() }));
  };
  const works = {
    leave,
    look,
    pid: () => process.stdout.write(String(process.pid)),
    fetch: async (url) => process.stdout.write(await (await fetch(url)).text()),
    late: () => void setTimeout(() => process.stdout.write('late'), 1),
    never: () => new Promise(() => {}),
    exit: () => process.exit(5),
  };
  export const run = async ([name, word]) => {
    await works[name](word);
    return 3;
  };`;

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sealpost-runners-')));
const program = join(folder, 'program.mjs');
writeFileSync(program, PROGRAM);
after(() => rmSync(folder, { recursive: true }));

const runners = () => {
  const run = commandRunners(program, {});
  return (args: readonly string[], input = '') => run({ args, env: { GIVEN: 'given' }, input, cwd: folder });
};

test('a command finds its own environment, folder, input and streams, and nothing of the command before', async () => {
  const run = runners();
  const first = await run(['look'], 'read this');
  assert.deepEqual(
    { code: first.code, out: first.out, ...JSON.parse(first.err), listeners: [] },
    { code: 3, out: '', input: 'read this', env: { GIVEN: 'given' }, cwd: folder, listeners: [] },
  );
  const pid = await run(['pid']);
  assert.deepEqual(await run(['leave']), { code: 3, out: 'left', err: '' });
  assert.deepEqual(await run(['look'], 'read this'), first);
  assert.deepEqual(await run(['pid']), pid, 'all of them ran in one process');
});

test('a command makes its own connections', async () => {
  let connections = 0;
  const server = createServer((_request, response) => response.end('answer')).on('connection', () => connections++);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const run = runners();
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    for (let commands = 1; commands <= 2; commands++) {
      assert.equal((await run(['fetch', url])).out, 'answer');
      assert.equal(connections, commands);
    }
  } finally {
    server.close();
  }
});

test('a command ends when nothing keeps its process alive', async () => {
  const run = runners();
  assert.deepEqual(await run(['late']), { code: 3, out: 'late', err: '' });
  assert.equal((await run(['never'])).code, 13, 'as Node ends a program that waits for nothing');
  assert.equal((await run(['late'])).code, 3);
});

test('commands at the same time run in processes of their own', async () => {
  const run = runners();
  const pids = await Promise.all([run(['pid']), run(['pid'])]);
  assert.notEqual(pids[0]?.out, pids[1]?.out);
  const { out } = await run(['pid']);
  assert.ok(pids.some((pid) => pid.out === out));
});

test('a command that ends its process fails, and the next one gets another process', async () => {
  const run = runners();
  await assert.rejects(run(['exit']), /exit ended the process that ran it, with exit code 5/);
  assert.equal((await run(['late'])).out, 'late');
});
