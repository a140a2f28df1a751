import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createKeyPair } from '@sealpost/crypto';
import { fileKeyStore } from '@sealpost/sdk/node';
import { type Finished, type Running, run, start } from './command.ts';
import { type ServerProcess, startServer } from './server-process.ts';

let server: ServerProcess;

before(async () => {
  server = await startServer({ 'login-confirmation': 'new-device' });
});
after(async () => {
  await server?.dispose();
});

/** A terminal on a machine of its own. */
function terminal(name: string) {
  const configDir = join(server.dataDir, `machine-${name}`);
  const env = { SEALPOST_CONFIG_DIR: configDir, SEALPOST_URL: server.url };
  return {
    configDir,
    begin: (...args: string[]): Running => start(env, args),
    run: (...args: string[]): Promise<Finished> => run(env, args),
    async ok(...args: string[]): Promise<string> {
      const { code, out, err } = await run(env, args);
      assert.equal(code, 0, `${args.join(' ')}: ${err}`);
      return out;
    },
  };
}

type Terminal = ReturnType<typeof terminal>;

/** A terminal that is logged in: the first login of an account needs nobody's confirmation. */
async function loggedIn(userid: string): Promise<Terminal & { mid: string; password: string }> {
  const { mid, password } = await server.createAccount(userid);
  const phone = terminal(`${userid}-first`);
  await phone.ok('login', userid, '--password', password);
  return { ...phone, mid, password };
}

const keysOf = (configDir: string) => fileKeyStore(join(configDir, 'keys', 'alice'));

async function qrLogin(laptop: Terminal, ...args: string[]) {
  const login = laptop.begin('login', '--qr', ...args, '--json');
  const steps: Record<string, string>[] = [];
  let rest = '';
  login.child.stdout?.on('data', (part) => {
    const lines = (rest + part).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) steps.push(JSON.parse(line) as Record<string, string>);
  });
  return {
    finished: login.finished,
    async step(kind: string): Promise<Record<string, string>> {
      await login.until(new RegExp(`"kind":"${kind}"`));
      await new Promise((resolve) => setTimeout(resolve, 10));
      return steps.find((step) => step.kind === kind) ?? assert.fail(`no ${kind}`);
    },
    kinds: () => steps.map(({ kind }) => kind),
  };
}

test('one terminal lets another one in by QR code and PIN, and hands it the keys', async () => {
  const phone = await loggedIn('alice');
  const keys = [{ ...createKeyPair(), version: 1, keyId: 7, createdTime: 1_700_000_000_000 }];
  await keysOf(phone.configDir).addOwnKeys(phone.mid, keys);

  const laptop = terminal('alice-laptop');
  const login = await qrLogin(laptop);
  const { url = '', authSessionId = '' } = await login.step('qr');
  assert.match(await phone.ok('devices', 'approve', url, '--yes'), /Approved SQ/);
  const { pinCode = '' } = await login.step('pin');
  assert.match(await phone.ok('devices', 'pin', authSessionId, pinCode), /PIN is right/);
  const { code, err } = await login.finished;
  assert.equal(code, 0, err);
  assert.deepEqual(login.kinds(), ['qr', 'scanned', 'pin', 'verified', 'done']);

  assert.match(await laptop.ok('whoami'), new RegExp(`alice.*\n${phone.mid}`));
  const files = readdirSync(laptop.configDir, { recursive: true, withFileTypes: true }).filter((f) => f.isFile());
  assert.ok(files.some((file) => file.name === '7.key'));
  for (const { parentPath, name } of files) assert.equal(statSync(join(parentPath, name)).mode & 0o777, 0o600, name);
  assert.deepEqual(await keysOf(laptop.configDir).ownKeys(phone.mid), keys);

  await laptop.ok('logout');
  const again = await qrLogin(laptop, '--as', 'alice');
  await phone.ok('devices', 'approve', (await again.step('qr')).url ?? '', '--yes');
  assert.equal((await again.finished).code, 0);
  assert.deepEqual(again.kinds(), ['qr', 'scanned', 'done'], 'the certificate makes the PIN needless');
});

test('the QR code is drawn for the terminal, with the command to type on the other device', async () => {
  const phone = await loggedIn('drawer');
  const login = terminal('drawer-laptop').begin('login', '--qr');
  await login.until(/sealpost devices approve 'http[^']+'/, 'err');
  login.child.kill('SIGTERM');
  const { code, err } = await login.finished;
  assert.notEqual(code, 0);
  assert.match(err, /█/);
  assert.ok(err.includes(`${server.url}/R/au/lgn/sq/SQ`));
  assert.match(await phone.ok('devices', 'pending'), /No device waits/);
});

test('a credential login on a new machine waits for the PIN on the first one', async () => {
  const phone = await loggedIn('bob');
  const login = terminal('bob-laptop').begin('login', 'bob', '--password', phone.password);
  let shown = '';
  login.child.stderr?.on('data', (part) => (shown += part));
  await login.until(/PIN: \d{6}/, 'err');
  assert.match(shown, /sealpost devices pending.*sealpost devices approve <login>.*Waiting for 3 minutes/);
  const waiting = JSON.parse(await phone.ok('devices', 'pending', '--json')) as { loginId: string }[];
  const loginId = waiting[0]?.loginId ?? '';
  const wrong = await phone.run('devices', 'approve', loginId, '--pin', 'wrong', '--yes');
  assert.equal(wrong.code, 1);
  assert.match(wrong.err, /INVALID_PIN_CODE/);
  assert.match(wrong.err, /sealpost CLI at 127\.0\.0\.1 asked to log in/);
  await phone.ok('devices', 'approve', loginId, '--pin', /PIN: (\d{6})/.exec(shown)?.[1] ?? '', '--yes');
  const { code, out, err } = await login.finished;
  assert.equal(code, 0, err);
  assert.match(out, /Logged in as bob/);
});

test('a device that is refused is told so', async () => {
  const phone = await loggedIn('carol');
  const login = terminal('carol-laptop').begin('login', 'carol', '--password', phone.password);
  await login.until(/PIN: \d{6}/, 'err');
  const [waiting] = JSON.parse(await phone.ok('devices', 'pending', '--json')) as { loginId: string }[];
  await phone.ok('devices', 'deny', waiting?.loginId ?? '');
  const { code, err } = await login.finished;
  assert.equal(code, 1);
  assert.match(err, /refused on another device/);
});

test('nothing is approved without a person or --yes, and an unknown login is named', async () => {
  const phone = await loggedIn('dave');
  const login = await qrLogin(terminal('dave-laptop'));
  const { url = '', authSessionId = '' } = await login.step('qr');
  const { code, err } = await phone.run('devices', 'approve', url);
  assert.equal(code, 2);
  assert.match(err, /--yes/);
  await phone.ok('devices', 'deny', authSessionId);
  assert.equal((await login.finished).code, 1);
  assert.match((await phone.run('devices', 'approve', '4711', '--yes')).err, /No login "4711" waits/);
});

test('sessions are listed, named and ended from the command line', async () => {
  const phone = await loggedIn('erin');
  const laptop = terminal('erin-laptop');
  const login = await qrLogin(laptop);
  const { url = '', authSessionId = '' } = await login.step('qr');
  await phone.ok('devices', 'approve', url, '--yes');
  const { pinCode = '' } = await login.step('pin');
  await phone.ok('devices', 'pin', authSessionId, pinCode);
  assert.equal((await login.finished).code, 0);

  const sessions = JSON.parse(await phone.ok('devices', 'list', '--json')) as {
    loginSessionId: string;
    current: boolean;
  }[];
  assert.equal(sessions.length, 2);
  const other = sessions.find(({ current }) => !current)?.loginSessionId ?? '';
  await phone.ok('devices', 'rename', other, 'kitchen laptop');
  assert.match(await phone.ok('devices', 'list'), /kitchen laptop/);
  assert.equal((await phone.run('devices', 'revoke')).code, 2);
  await phone.ok('devices', 'revoke', other);
  const { code, err } = await laptop.run('whoami');
  assert.equal(code, 3);
  assert.match(err, /Not logged in/);
  await phone.ok('devices', 'revoke', '--others');
  assert.deepEqual(readdirSync(join(phone.configDir, 'profiles')), ['erin.json']);
});
