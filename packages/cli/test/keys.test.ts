import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createKeyPair, toBase64 } from '@sealpost/crypto';
import { type CommandResult, run, start } from '@sealpost/dev-env/command';
import { startLyingProxy } from '@sealpost/dev-env/proxies/lying';
import { type ServerProcess, startServer } from '@sealpost/dev-env/server-process';
import { createRpcClient, type Session } from '@sealpost/sdk';
import { fileKeyStore } from '@sealpost/sdk/node';

let server: ServerProcess;

before(async () => {
  server = await startServer();
});
after(async () => {
  await server?.dispose();
});

/** Returns a separate machine on which a user is logged in. */
async function machine(name: string, { userid, password }: { userid: string; password: string }, url = server.url) {
  const configDir = join(server.dataDir, `machine-${name}`);
  const env = { SEALPOST_CONFIG_DIR: configDir, SEALPOST_URL: url };
  const keyStore = fileKeyStore(join(configDir, 'keys', userid));
  const finish = (args: string[], input?: string): Promise<CommandResult> => run(env, args, input);
  async function ok(...args: string[]): Promise<string> {
    const { code, out, err } = await finish(args);
    assert.equal(code, 0, `${args.join(' ')}: ${err}`);
    return out;
  }
  async function fails(args: string[], code: number, words: RegExp, input?: string): Promise<void> {
    const finished = await finish(args, input);
    assert.equal(finished.code, code, `${args.join(' ')}: ${finished.out}${finished.err}`);
    assert.match(finished.err, words);
  }
  await ok('login', userid, '--password', password);
  const { session } = JSON.parse(readFileSync(join(configDir, 'logins', `${userid}.json`), 'utf8')) as {
    session: Session;
  };
  return {
    mid: session.mid,
    finish,
    ok,
    fails,
    begin: (...args: string[]) => start(env, args),
    keyIds: async () => (await keyStore.ownKeys(session.mid)).map(({ keyId }) => keyId),
    keys: () => keyStore.ownKeys(session.mid),
    /** Registers a new key of the account on this machine, and returns its id. */
    async register(): Promise<number> {
      const client = createRpcClient({ url: server.url, session });
      const pair = createKeyPair();
      const key = { keyData: toBase64(pair.publicKey) };
      const { keyId, createdTime } = await client.TalkService.registerE2EEPublicKey(client.nextReqSeq(), key);
      await keyStore.addOwnKeys(session.mid, [{ ...pair, version: 1, keyId, createdTime: Number(createdTime) }]);
      client.close();
      return keyId;
    },
  };
}

test('a login says that the account has no key yet, as long as that is so', async () => {
  const nina = await server.createAccount('nina');
  const first = await machine('nina-1', nina);
  const again = ['login', 'nina', '--password', nina.password];
  const { code, err } = await first.finish(again);
  assert.deepEqual([code, err], [0, 'This account has no key yet; the first sealed message makes one.\n']);
  await first.register();
  const later = await first.finish(again);
  assert.equal(later.code, 0, later.err);
  assert.doesNotMatch(later.err, /no key yet/);
});

test('a made passphrase is told although the connection was lost after the backup was stored', async (t) => {
  const proxy = await startLyingProxy(server.url);
  t.after(() => proxy.close());
  const rosa = await server.createAccount('rosa');
  const old = await machine('rosa-old', rosa, proxy.url);
  const id = await old.register();
  proxy.lie('KeyBackupService.getBackup', () => {
    throw new Error('lost');
  });
  const { code, err } = await old.finish(['keys', 'backup', '--generate']);
  proxy.beHonest();
  assert.equal(code, 4, err);
  const passphrase = /\n\n {4}(.*)\n\nKeep this passphrase: /.exec(err)?.[1];
  assert.ok(passphrase, err);
  const fresh = await machine('rosa-new', rosa);
  assert.equal((await fresh.finish(['keys', 'restore', '--passphrase-stdin'], passphrase)).code, 0);
  assert.deepEqual(await fresh.keyIds(), [id]);
});

test('the keys of a lost machine come back on a new one, with the passphrase and with no other', async () => {
  const alice = await server.createAccount('alice');
  const old = await machine('alice-old', alice);
  const ids = [await old.register(), await old.register()];
  assert.match(
    await old.ok('keys', 'status'),
    new RegExp(`Keys here: keys ${ids.join(', ')}\nBackup: +none. Make one`),
  );
  const made = JSON.parse(await old.ok('keys', 'backup', '--generate', '--json')) as Record<string, unknown>;
  assert.deepEqual([made.version, made.keyIds], [1, ids]);
  const passphrase = String(made.passphrase);
  assert.match(passphrase, /^([a-z]{5} ){5}[a-z]{5}$/);
  assert.match(await old.ok('keys', 'status'), /Backup: +version 1 of .*, with all keys of this device/);
  const newest = await old.register();
  assert.match(await old.ok('keys', 'status'), new RegExp(`without key ${newest}. Make it anew`));

  const fresh = await machine('alice-new', alice);
  const before = await fresh.ok('keys', 'status');
  assert.match(before, /Keys here: no keys\nMissing: +keys .*cannot be read here/);
  assert.match(before, /Backup: +version 1 of .*, made by another device/);
  await fresh.fails(['keys', 'backup', '--generate'], 1, /nothing to back up/);
  await fresh.fails(['keys', 'restore', '--passphrase-stdin'], 1, /Check the words/, 'another passphrase\n');
  assert.deepEqual(await fresh.keyIds(), []);
  const restored = await fresh.finish(['keys', 'restore', '--passphrase-stdin'], `${passphrase.toUpperCase()}\n`);
  assert.equal(restored.code, 0, restored.err);
  assert.match(restored.out, new RegExp(`Restored keys ${ids.join(', ')} from version 1`));
  assert.match(restored.out, new RegExp(`made before key ${newest}: .* cannot be read here`));
  assert.deepEqual(await fresh.keys(), (await old.keys()).slice(0, 2));
  // This backup does not have the missing key, so restoring it again is not advised.
  assert.match(await fresh.ok('keys', 'status'), /Missing: +key .*\n +To get them: sealpost login --qr, and let/);

  await fresh.fails(
    ['keys', 'backup', '--passphrase-stdin'],
    1,
    /must take 10\^14: .*common words.*use a generated one/,
    'short',
  );
  await fresh.fails(['keys', 'backup'], 2, /--generate/);
  await fresh.fails(['keys', 'restore'], 2, /--passphrase-stdin/);
  assert.match(await old.ok('keys', 'accept-log'), /log of this server is accepted/);
  assert.match(await old.ok('keys', 'status'), /Key log: +\d+ keys, root /);
});

test('who lost everything is told so in plain words', async () => {
  const erin = await server.createAccount('erin');
  const old = await machine('erin-old', erin);
  await old.register();
  const fresh = await machine('erin-new', erin);
  const words = /gets new keys, its contacts are told .* nobody can ever read again what was sealed/;
  await fresh.fails(['keys', 'restore', '--passphrase-stdin'], 1, words, 'a passphrase of mine');
  assert.match(await fresh.ok('keys', 'status'), words);
  await fresh.fails(
    ['keys', 'renew'],
    2,
    /Contacts are told[\s\S]*Messages that were sealed for key .* cannot be read[\s\S]*--yes/,
  );
  await fresh.fails(['keys', 'renew', '--json'], 2, /^\{.*confirm with --yes.*\}\n$/);
  assert.deepEqual(await fresh.keyIds(), []);
  const { keyId } = JSON.parse(await fresh.ok('keys', 'renew', '--yes', '--json')) as { keyId: number };
  assert.deepEqual(await fresh.keyIds(), [keyId]);
  const alarm = new RegExp(`has key ${keyId} of this account, not made here`);
  assert.match(await old.ok('keys', 'status'), alarm);
  assert.doesNotMatch(await fresh.ok('keys', 'status'), alarm);
});

test('two people compare their number; a new key is told, loudly, and takes the mark away', async () => {
  const [bobs, carols] = [await server.createAccount('bob'), await server.createAccount('carol')];
  const bob = await machine('bob', bobs);
  const carol = await machine('carol', carols);
  await bob.fails(['verify-contact', 'carol'], 1, /this device has no key/);
  await bob.register();
  await bob.fails(['verify-contact', 'carol'], 1, /has no key/);
  const oldest = await carol.register();

  const shown = await bob.ok('verify-contact', 'carol');
  assert.match(shown, /Safety number with carol\n\n {4}(\d{5} ?){4}\n {4}(\d{5} ?){4}\n {4}(\d{5} ?){4}\n/);
  assert.match(shown, /█[\s\S]*Not verified\.\n.*verify-contact carol --code \d{60}\n/);
  type Found = { digits: string; qr: string; state: string; changed?: string };
  const found = async (owner: typeof bob, contact: string) =>
    JSON.parse(await owner.ok('verify-contact', contact, '--json')) as Found;
  const [his, hers] = [await found(bob, 'carol'), await found(carol, 'bob')];
  assert.deepEqual([his.digits, his.qr, his.state], [hers.digits, hers.qr, 'unverified']);
  await bob.fails(
    ['verify-contact', 'carol', '--code', hers.digits.replace(/^\d/, (d) => String((+d + 1) % 10))],
    1,
    /not the safety number/,
  );
  const incomplete = {
    [hers.digits.slice(0, -1)]: /has 59 digits\. Nothing/,
    [hers.qr.slice(1)]: /is neither\. Nothing/,
  };
  for (const [code, says] of Object.entries(incomplete))
    await bob.fails(['verify-contact', 'carol', '--code', code], 2, says);
  await bob.fails(['verify-contact', 'carol', '--code', hers.digits, '--forget'], 2, /Give either/);
  await bob.ok('verify-contact', 'carol', '--code', hers.qr);
  assert.match(await bob.ok('verify-contact', 'carol'), /Verified on \d{4}-\d\d-\d\d\.\n$/);
  await carol.ok('verify-contact', 'bob', '--code', his.digits);

  await bob.ok('group', 'create', 'Tea', 'carol', '--room');
  const listening = bob.begin('listen', '--from', 'now');
  await listening.until(/Listening as bob/, 'err');
  const second = await carol.register();
  await listening.until(new RegExp(`!!! carol, whom you verified on .*, has a NEW KEY, ${second}`), 'err');
  listening.child.kill('SIGTERM');
  await listening.finished;
  assert.notEqual(oldest, second);

  assert.match(
    await bob.ok('verify-contact', 'carol'),
    /CHANGED: verified on .* with another number; carol has a new key since\./,
  );
  assert.equal((await found(carol, 'bob')).changed, 'own');
  await bob.fails(['send', 'carol', 'secret'], 1, /Nothing was sealed for it\. Compare the safety number again/);
  assert.match(await bob.ok('verify-contact', 'carol', '--forget'), /no longer marked/);
  const first = await bob.finish(['send', 'carol', 'secret']);
  assert.deepEqual([first.code, /new key/.test(first.err)], [0, false], 'this key was told before');
  const third = await carol.register();
  const sent = await bob.finish(['send', 'carol', 'secret']);
  assert.match(sent.err, new RegExp(`carol has a new key, ${third}: .*Compare: sealpost verify-contact u`));
  assert.equal((await found(bob, 'carol')).state, 'unverified');
});

test('the first key of somebody is told without alarm, the next one as what it may be', async () => {
  const [dans, eves] = [await server.createAccount('dan'), await server.createAccount('eve')];
  const dan = await machine('dan', dans);
  const eve = await machine('eve', eves);
  await dan.register();
  await dan.ok('group', 'create', 'Tea', 'eve', '--room');
  const listening = dan.begin('listen', '--from', 'now');
  await listening.until(/Listening as dan/, 'err');
  const first = await eve.register();
  await listening.until(new RegExp(`eve has a key, ${first}, the first that this device hears of`), 'err');
  await dan.ok('verify-contact', 'eve');
  const second = await eve.register();
  await listening.until(new RegExp(`eve has a new key, ${second}: .* or somebody in their place`), 'err');
  listening.child.kill('SIGTERM');
  await listening.finished;
});
