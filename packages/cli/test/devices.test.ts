import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type CommandResult, type RunningCommand, run, start } from '@sealpost/dev-env/command';
import { type ServerProcess, startServer } from '@sealpost/dev-env/server-process';
import { fileKeyStore } from '@sealpost/sdk/node';

let server: ServerProcess;

before(async () => {
  server = await startServer({ 'login-confirmation': 'new-device' });
});
after(async () => {
  await server?.dispose();
});

/** Returns a terminal whose files are separate from all others, as on another machine. */
function terminal(name: string) {
  const configDir = join(server.dataDir, `machine-${name}`);
  const env = { SEALPOST_CONFIG_DIR: configDir, SEALPOST_URL: server.url };
  return {
    configDir,
    begin: (...args: string[]): RunningCommand => start(env, args),
    run: (...args: string[]): Promise<CommandResult> => run(env, args),
    async ok(...args: string[]): Promise<string> {
      const { code, out, err } = await run(env, args);
      assert.equal(code, 0, `${args.join(' ')}: ${err}`);
      return out;
    },
  };
}

type Terminal = ReturnType<typeof terminal>;
type Machine = Pick<Terminal, 'begin'>;

/** Returns a logged-in terminal. The first login of an account needs no confirmation. */
async function loggedIn(userid: string): Promise<Terminal & { mid: string; password: string }> {
  const { mid, password } = await server.createAccount(userid);
  const phone = terminal(`${userid}-first`);
  await phone.ok('login', userid, '--password', password);
  return { ...phone, mid, password };
}

const keysOf = (configDir: string) => fileKeyStore(join(configDir, 'keys', 'alice'));

async function qrLogin(laptop: Machine, ...args: string[]) {
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
      return steps.find((step) => step.kind === kind) ?? assert.fail(`no ${kind}`);
    },
    kinds: () => steps.map(({ kind }) => kind),
  };
}

test('one terminal lets another one in by QR code and PIN, and hands it the keys', async () => {
  const phone = await loggedIn('alice');
  await phone.ok('keys', 'renew', '--yes');
  const keys = await keysOf(phone.configDir).ownKeys(phone.mid);

  const laptop = terminal('alice-laptop');
  const login = await qrLogin(laptop);
  const { url = '', loginId = '' } = await login.step('qr');
  assert.match(await phone.ok('devices', 'approve', url, '--yes'), /Approved SQ/);
  const { pinCode = '', words = '' } = await login.step('pin');
  assert.match(words, /^([a-z]{5}-){4}[a-z]{5}$/);
  const unseen = await phone.run('devices', 'pin', url, pinCode);
  assert.equal(unseen.code, 2);
  assert.match(
    unseen.err,
    /hands over the key of the account: \d+\.\nAnybody who has them can read every sealed message/,
  );
  assert.ok(unseen.err.includes(words), 'both screens show the same words');
  assert.match(unseen.err, /--words/);
  const other = await phone.run('devices', 'pin', url, pinCode, '--words', 'lusab-babad-gutih-tugad-bidaf');
  assert.equal(other.code, 1);
  assert.match(other.err, /shows other words/);
  assert.match(await phone.ok('devices', 'pin', url, pinCode, '--words', words), /PIN is right/);
  assert.ok(loginId.startsWith('SQ') && url.includes(loginId));
  const { code, err } = await login.finished;
  assert.equal(code, 0, err);
  assert.deepEqual(login.kinds(), ['qr', 'scanned', 'pin', 'verified', 'done']);

  assert.match(await laptop.ok('whoami'), new RegExp(`alice.*\n${phone.mid}`));
  const files = readdirSync(laptop.configDir, { recursive: true, withFileTypes: true }).filter((f) => f.isFile());
  assert.ok(files.some((file) => file.name === `${keys[0]?.keyId}.key`));
  for (const { parentPath, name } of files) assert.equal(statSync(join(parentPath, name)).mode & 0o777, 0o600, name);
  assert.deepEqual(await keysOf(laptop.configDir).ownKeys(phone.mid), keys);

  await laptop.ok('logout');
  const again = await qrLogin(laptop, '--as', 'alice');
  await phone.ok('devices', 'approve', (await again.step('qr')).url ?? '', '--yes');
  assert.equal((await again.finished).code, 0);
  assert.deepEqual(again.kinds(), ['qr', 'scanned', 'done'], 'the certificate makes the PIN needless');
});

test('a password login hands over the keys only with the words that the new device shows', async () => {
  const phone = await loggedIn('frank');
  await phone.ok('keys', 'renew', '--yes');
  const laptop = terminal('frank-laptop');
  const login = laptop.begin('login', 'frank', '--password', phone.password);
  let shown = '';
  login.child.stderr?.on('data', (part) => (shown += part));
  await login.until(/hands over keys: \S+/, 'err');
  const [, pin = ''] = /PIN: (\d{6})/.exec(shown) ?? [];
  const [, words = ''] = /hands over keys: (\S+)/.exec(shown) ?? [];
  const [waiting] = JSON.parse(await phone.ok('devices', 'pending', '--json')) as { loginId: string }[];
  const approve = ['devices', 'approve', waiting?.loginId ?? '', '--pin', pin, '--yes'];
  const unseen = await phone.run(...approve);
  assert.equal(unseen.code, 2, 'no keys go where nobody compared');
  await phone.ok(...approve, '--words', words.replaceAll('-', ' ').toUpperCase());
  const { code, out, err } = await login.finished;
  assert.equal(code, 0, err);
  assert.match(out, /with 1 key\./);
});

test('a second login of a dev account says which command brings the keys, and that command does', async () => {
  const dev = await startServer({ mode: 'dev' });
  try {
    const machine = (name: string) => {
      const env = {
        SEALPOST_URL: dev.url,
        SEALPOST_DATA_DIR: dev.dataDir,
        SEALPOST_CONFIG_DIR: join(dev.dataDir, name),
      };
      return {
        begin: (...args: string[]): RunningCommand => start(env, args),
        async ok(...args: string[]): Promise<CommandResult> {
          const finished = await run(env, args);
          assert.equal(finished.code, 0, finished.err);
          return finished;
        },
      };
    };
    const [first, second] = [machine('first'), machine('second')];
    assert.doesNotMatch((await first.ok('keys', 'renew', '--yes', '--as', 'alice')).err, /sealpost login --qr/);
    const { err } = await second.ok('whoami', '--as', 'alice');
    assert.match(err, /This device lacks a key of the account.*: sealpost login --qr --as alice\n/);
    const login = await qrLogin(second, '--as', 'alice');
    const { url = '' } = await login.step('qr');
    await first.ok('devices', 'approve', url, '--yes', '--as', 'alice');
    const { pinCode = '', words = '' } = await login.step('pin');
    await first.ok('devices', 'pin', url, pinCode, '--words', words, '--as', 'alice');
    const finished = await login.finished;
    assert.equal(finished.code, 0, finished.err);
    assert.doesNotMatch(finished.err, /lacks a key/);
    assert.match((await second.ok('keys', 'status', '--as', 'alice')).out, /Keys here: key \d+/);
  } finally {
    await dev.dispose();
  }
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
  assert.match(await phone.ok('devices', 'pending'), /No device is waiting/);
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
  assert.match(wrong.err, /the PIN is not the one that the new device shows/);
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
  const { url = '', loginId = '' } = await login.step('qr');
  const { code, err } = await phone.run('devices', 'approve', url);
  assert.equal(code, 2);
  assert.match(err, /--yes/);
  await phone.ok('devices', 'deny', loginId);
  assert.equal((await login.finished).code, 1);
  assert.match((await phone.run('devices', 'approve', '4711', '--yes')).err, /No login "4711" is waiting/);
});

test('sessions are listed, named and ended from the command line', async () => {
  const phone = await loggedIn('erin');
  const laptop = terminal('erin-laptop');
  const login = await qrLogin(laptop);
  const { url = '', loginId = '' } = await login.step('qr');
  await phone.ok('devices', 'approve', url, '--yes');
  const { pinCode = '' } = await login.step('pin');
  await phone.ok('devices', 'pin', loginId, pinCode);
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
  assert.deepEqual(readdirSync(join(phone.configDir, 'logins')).sort(), ['erin.json', 'erin.lock']);
});
