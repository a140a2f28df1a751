// The commands with which people change their own account.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type CommandResult, run } from '@sealpost/dev-env/command';
import { type ServerProcess, startServer } from '@sealpost/dev-env/server-process';

const NEW = 'a brand new secret';

let server: ServerProcess;
let env: Record<string, string>;

before(async () => {
  server = await startServer();
  env = { ...server.env, SEALPOST_URL: server.url };
});
after(async () => {
  await server?.dispose();
});

const cli = (args: readonly string[], input?: string): Promise<CommandResult> => run(env, [...args], input);

async function ok(args: readonly string[], input?: string): Promise<string> {
  const { code, out, err } = await cli(args, input);
  assert.equal(code, 0, `${args.join(' ')}: ${err}`);
  return out;
}

/** Creates an account, and logs it in on this machine. Returns its password. */
async function user(userid: string): Promise<string> {
  const { password } = await server.createAccount(userid);
  await ok(['login', userid, '--password', password]);
  return password;
}

test('the password is changed from standard input; the old one no longer logs in', async () => {
  const old = await user('ann');
  const args = ['password', '--as', 'ann', '--password-stdin'];
  assert.match(await ok(args, `${old}\n${NEW}\n`), /Changed the password of ann\. Other sessions go on/);
  assert.notEqual((await cli(['login', 'ann', '--password', old])).code, 0);
  await ok(['login', 'ann', '--password', NEW, '--as', 'ann-elsewhere']);
  assert.match(await ok([...args, '--end-other-sessions'], `${NEW}\n${old}`), /All other sessions have ended/);
  assert.equal((await cli(['whoami', '--as', 'ann-elsewhere'])).code, 3);
  await ok(['whoami', '--as', 'ann']);
});

test('a refusal says what is wrong, and nothing asks where nobody can answer', async () => {
  const password = await user('bea');
  const refused = async (args: readonly string[], input: string | undefined, words: RegExp, code = 1) => {
    const answer = await cli([...args, '--as', 'bea'], input);
    assert.match(answer.err, words);
    assert.equal(answer.code, code);
  };
  await refused(['password', '--password-stdin'], `wrong\n${NEW}\n`, /Nothing was changed: the password is wrong/);
  await refused(
    ['password', '--password-stdin'],
    `${password}\nshort\n`,
    /newPassword must have at least 8 characters/,
  );
  await refused(['password', '--password-stdin'], password, /must have two lines/, 2);
  await refused(['password'], '', /not a terminal/, 2);
  await refused(['profile', 'userid', 'ann', '--password-stdin'], password, /"ann" is taken/);
  await refused(['profile', 'phone', '12', '--password-stdin'], password, /must be in international form/);
  await refused(['profile', 'email'], undefined, /Give a new value, or --remove/, 2);
  await refused(['profile', 'email', 'a@b.example', '--remove'], undefined, /Give a new value, or --remove/, 2);
  await refused(['delete-account', '--password-stdin'], password, /delete with --yes/, 2);
  await refused(['delete-account', '--yes'], '', /Give it by --password-stdin or SEALPOST_PASSWORD\.$/m, 2);
  await refused(['delete-account', '--yes', '--password-stdin'], 'wrong', /the password is wrong/);
  // With --json, a failure is one JSON object, and nothing is printed above it.
  await refused(['delete-account', '--json', '--password-stdin'], password, /^\{.*delete with --yes.*\}\n$/, 2);
  await refused(['delete-account', '--json', '--yes', '--password-stdin'], 'wrong', /^\{.*\}\n$/);
});

test('user id, e-mail and phone are changed and removed', async () => {
  const password = await user('cleo');
  const profile = (...args: string[]) => ok(['profile', ...args, '--as', 'cleo', '--password-stdin'], password);
  assert.match(await profile('userid', 'Cleo.Two'), /userid +cleo\.two/);
  assert.match(await profile('email', 'cleo@example.org'), /email +cleo@example\.org/);
  assert.match(await profile('phone', '+81 3 1234 5678'), /phone +\+81312345678/);
  assert.doesNotMatch(await profile('email', '--remove'), /email/);
  assert.match(await ok(['whoami', '--as', 'cleo']), /cleo\.two/);
});

test('a deleted account leaves no login and no keys on this machine', async () => {
  const password = await user('dina');
  await ok(['send', 'ann', 'hello', '--as', 'dina']);
  await ok(['login', 'dina', '--password', password, '--as', 'dina-too']);
  const traces = () =>
    readdirSync(env.SEALPOST_CONFIG_DIR ?? '', { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => /dina/.test(path) || /dina/.test(readFileSync(path, 'utf8')));
  assert.ok(traces().length > 0);
  const out = await ok(['delete-account', '--as', 'dina', '--yes', '--password-stdin'], password);
  assert.match(out, /Deleted the account\. The login "dina" and its keys are gone/);
  const elsewhere = await cli(['whoami', '--as', 'dina-too']);
  assert.match(elsewhere.err, /was deleted\. Its login and keys were removed here/);
  assert.equal(elsewhere.code, 3);
  assert.deepEqual(traces(), []);
});
