// Checks a server in a process of its own against the whole contract. Runs the command `sealpost conformance` for that,
// as a user does. In a whole run, the server is the built one; packages.test.ts compares it with the installed one.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { run } from '@sealpost/dev-env/command';
import { adminToken, type ServerProcess, startServer } from '@sealpost/dev-env/server-process';

const BRAND = 'Xyz';
/** The report that CI shows; it is not part of the repository. */
const reportFile = join(import.meta.dirname, '../../../reports/conformance.xml');

let server: ServerProcess;
before(async () => {
  server = await startServer({ 'login-confirmation': 'new-device', 'rate-identifier': '1000+50' });
});
after(async () => {
  await server?.dispose();
});

const conformance = (env: Readonly<Record<string, string>>, url: string, ...args: string[]) =>
  run(env, ['conformance', '--url', url, ...args]);

test('The server keeps the whole contract', async () => {
  mkdirSync(dirname(reportFile), { recursive: true });
  const report = ['--report', 'junit', '--output', reportFile];
  const { code, out, err } = await conformance(server.env, server.url, ...report);
  assert.equal(code, 0, `${out}${err}${failuresIn(readFileSync(reportFile, 'utf8'))}`);
});

test('Another brand and lenient signatures are kept too, and the token may come as an option', async () => {
  const branded = await startServer({ 'header-brand': BRAND, signature: 'lenient' });
  try {
    const { SEALPOST_ADMIN_TOKEN: _token, ...env } = branded.env;
    const args = ['--only', 'signature,login,sync', '--brand', BRAND, '--signature', 'lenient'];
    const { code, out, err } = await conformance(env, branded.url, ...args, '--admin-token', adminToken);
    assert.equal(code, 0, out + err);
  } finally {
    await branded.dispose();
  }
});

test('A check that fails makes the command fail and says how to see it again', async () => {
  const { code, out, err } = await conformance(server.env, server.url, '--only', 'rooms/leave', '--build-token', 'no');
  assert.equal(code, 1, out);
  assert.match(out, new RegExp(`again: +sealpost conformance --url ${server.url} --only rooms/leave`));
  assert.match(err, /1 of 1 checks failed/);
});

test('The list names checks and what they expect; an unknown name is wrong usage', async () => {
  const { code, out } = await run({}, ['conformance', '--list', '--only', 'rooms']);
  assert.equal(code, 0);
  assert.match(out, /^rooms\/create +rooms +Groups, chats, rooms +The targets of a room/m);
  assert.equal((await run({}, ['conformance', '--list', '--only', 'nothing'])).code, 2);
  assert.equal((await run({}, ['conformance', '--list', '--only', ''])).code, 2);
});

test('A server that is not there, or another token, is told at once', async () => {
  assert.equal((await conformance(server.env, 'http://127.0.0.1:1')).code, 4);
  const { code, err } = await conformance(server.env, server.url, '--admin-token', 'wrong');
  assert.equal(code, 1);
  assert.match(err, /admin token/);
  const output = join(tmpdir(), 'not-there', 'report.txt');
  const unwritten = await conformance(server.env, 'http://127.0.0.1:1', '--output', output);
  assert.deepEqual([unwritten.code, /cannot be written.*Make the folder/.test(unwritten.err)], [1, true]);
});

const failuresIn = (xml: string): string =>
  xml
    .split('<testcase ')
    .filter((part) => part.includes('<failure'))
    .join('\n');
