// The time of an answer must not tell a stranger what the answer itself hides. The test counts work instead of time:
// passwords and keys in worker threads, statements of the database, and comparisons of secrets.
import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { after, before, describe, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import type { ApiError, ErrorName } from '@sealpost/contract';
import type { RSAKeyInfo } from '@sealpost/contract/schemas';
import { openSlices, type Slices } from '@sealpost/dev-env/account-slices';
import { statementsOf } from '@sealpost/dev-env/counted-statements';
import { startServer } from '@sealpost/dev-env/harness';
import type { SlowWorks } from '../../../src/platform/kernel/slow-crypto-worker.ts';
import { systemPorts } from '../../../src/platform/kernel/system.ts';
import { scheme1 } from '../../../src/platform/rpc/signature.ts';
import { createAttemptStore } from '../../../src/slices/login/attempt-store.ts';
import { createAuthSessionIds } from '../../../src/slices/login/auth-session-ids.ts';
import { parseCredential } from '../../../src/slices/login/credential.ts';
import { createPinCodes } from '../../../src/slices/login/pin-codes.ts';
import type { LoginRow } from '../../../src/slices/login/queries.ts';
import { createVerifiers } from '../../../src/slices/login/verifiers.ts';
import { createTokens } from '../../../src/slices/sessions/tokens.ts';
import { clientOf, credential, encrypt } from './login-client.ts';

interface Work {
  readonly name: keyof SlowWorks;
  readonly args: readonly unknown[];
}

const PASSWORD = 'correct horse';
const UNUSED_KEY = '12345';

/** Returns the size of a piece of work: the parameters of a password's hash, or the sizes of a key and a ciphertext. */
function sizeOf({ name, args: [first, second] }: Work): string {
  const bytes = (value: unknown) => Buffer.from(value as Uint8Array).length;
  // The encoded key has several numbers, and each may be a byte shorter or longer. So the key's length is rounded.
  if (name === 'decryptRsa') return `${name} ${Math.round(bytes(first) / 64)} ${bytes(second)}`;
  const [, kind, version, parameters, salt = '', hash = ''] = String(first).split('$');
  return [name, kind, version, parameters, salt.length, hash.length].join(' ');
}

describe('a password that is refused', () => {
  const { postMessage } = Worker.prototype;
  let working: string[] | undefined;
  let slices: Slices;
  let client: ReturnType<typeof clientOf>;
  let networks = 0;
  before(async () => {
    Object.assign(Worker.prototype, {
      postMessage(this: Worker, work: Work) {
        // The work for key pairs does not count, because they are generated in advance, for no particular address.
        if (work.name !== 'makeRsaPair') working?.push(sizeOf(work));
        postMessage.call(this, work);
      },
    });
    slices = await openSlices('sqlite', {}, systemPorts.slowCrypto);
    client = clientOf(slices);
  });
  after(async () => {
    Object.assign(Worker.prototype, { postMessage });
    await slices.close();
  });

  const account = (userid: string) =>
    slices.accounts.create({
      ...{ userid, password: PASSWORD, displayName: userid },
      ...{ email: `${userid}@example.org`, phone: `+81900${String(networks++).padStart(7, '0')}` },
    });
  /** Returns the work of a call. The call comes from an address that no call used before. */
  async function costOf(
    change: (key: RSAKeyInfo) => { identifier?: string; password?: string },
    { certificate, code = 'INVALID_IDENTITY_CREDENTIAL' }: { certificate?: string; code?: ErrorName } = {},
  ) {
    const key = await client.takeKey();
    const request = { type: 0 as const, identifier: key.keynm, ...(certificate && { certificate }), ...change(key) };
    const address = `10.0.${networks >> 8}.${networks++ & 255}`;
    const works: string[] = [];
    working = works;
    const asked = await statementsOf(() =>
      assert.rejects(client.send(request, address), (error: ApiError) => error.code === code),
    );
    working = undefined;
    return { works, asked };
  }
  const typed =
    (identifier: string, password = 'wrong horse') =>
    (key: RSAKeyInfo) => ({
      password: credential(key, identifier, password),
    });

  test('costs the same for an account that is there and for one that is not, by any of its names', async () => {
    const known = await account('known');
    await client.login('known', PASSWORD);
    const certificate = 'f'.repeat(64);
    for (const [name, nobody] of [
      ['known', 'nobody'],
      [known.email ?? '', 'nobody@example.org'],
      [known.phone ?? '', '+81900000009999'],
    ] as const) {
      for (const options of [{}, { certificate }]) {
        const there = await costOf(typed(name), options);
        assert.deepEqual(there, await costOf(typed(nobody), options), name);
        assert.deepEqual(
          there.works.map((work) => work.split(' ')[0]),
          ['decryptRsa', 'verifyPassword'],
        );
        assert.ok(there.asked.length > 4, there.asked.join('\n'));
      }
    }
  });

  test('costs the same for accounts that are disabled, deleted or logged in nowhere', async () => {
    const [disabled, deleted] = [await account('disabled'), await account('deleted')];
    await account('idle');
    await slices.accounts.disable(disabled.id);
    await slices.accounts.remove(deleted.id);
    const absent = await costOf(typed('absent'));
    for (const name of ['disabled', 'deleted', 'idle']) assert.deepEqual(await costOf(typed(name)), absent, name);
  });

  test('costs the same whether its key and its bytes open or not', async () => {
    const used = await client.takeKey();
    const password = credential(used, 'somebody', PASSWORD);
    await assert.rejects(client.send({ type: 0, identifier: used.keynm, password }));
    const opened = await costOf(typed('somebody else'));
    const bad: Record<string, Parameters<typeof costOf>[0]> = {
      'unknown key': () => ({ identifier: UNUSED_KEY, password }),
      'used key': () => ({ identifier: used.keynm, password }),
      'not hex': () => ({ password: 'zz' }),
      nothing: () => ({}),
      'bad padding': () => ({ password: '1'.repeat(512) }),
      'above the modulus': () => ({ password: 'f'.repeat(512) }),
      'other key': () => ({ password }),
      'no structure': (key) => ({ password: encrypt(key, Buffer.from('\xff hello')) }),
      'other session key': (key) => ({ password: credential({ ...key, sessionKey: 'other' }, 'somebody', PASSWORD) }),
    };
    for (const [name, change] of Object.entries(bad)) assert.deepEqual(await costOf(change), opened, name);
  });

  test('costs the same at the limit of an account as at that of a name that nobody has', async () => {
    await account('guessed');
    const costs = [];
    for (const name of ['guessed', 'guessed by nobody']) {
      for (let n = 0; n < 10; n++) await costOf(typed(name));
      costs.push(await costOf(typed(name), { code: 'EXCESSIVE_ACCESS' }));
    }
    const [there, absent] = costs;
    assert.deepEqual(there, absent);
    assert.equal(there?.works.length, 1, 'no password is checked');
  });
});

describe('a secret', () => {
  const { timingSafeEqual } = crypto;
  let compared: number[] = [];
  let slices: Slices;
  before(async () => {
    Object.assign(crypto, {
      timingSafeEqual(a: Uint8Array, b: Uint8Array) {
        compared.push(a.length);
        return timingSafeEqual(a, b);
      },
    });
    syncBuiltinESMExports();
    slices = await openSlices('sqlite', {}, systemPorts.slowCrypto);
  });
  after(async () => {
    Object.assign(crypto, { timingSafeEqual });
    syncBuiltinESMExports();
    await slices.close();
  });

  /** Returns the text with another character at an index; a negative index counts from the end. */
  function changedAt(text: string, at: number): string {
    const index = at < 0 ? text.length + at : at;
    return `${text.slice(0, index)}${text[index] === '0' ? '1' : '0'}${text.slice(index + 1)}`;
  }
  async function comparisonsOf(check: () => unknown): Promise<[unknown, number[]]> {
    compared = [];
    const outcome = Boolean(await check());
    return [outcome, compared];
  }
  /**
   * Asserts that a check compares the whole secret, whether the secret is right, wrong at its start or wrong at its
   * end.
   */
  async function requireWhole(secret: string, from: number, check: (given: string) => unknown): Promise<void> {
    assert.deepEqual(await comparisonsOf(() => check(secret)), [true, [32]], 'right');
    for (const at of [from, -2]) {
      assert.deepEqual(await comparisonsOf(() => check(changedAt(secret, at))), [false, [32]], `wrong at ${at}`);
    }
  }

  test('of the operator is compared as a whole', async (t) => {
    const server = await startServer({ flags: { 'rate-admin': '100+1' } });
    t.after(() => server.close());
    const check = async (token: string) => {
      const headers = { authorization: `Bearer ${token}` };
      return (await fetch(`${server.url}/api/admin/v1/accounts`, { headers })).status === 200;
    };
    await requireWhole(server.adminToken, 0, check);
    for (const part of [server.adminToken.slice(0, -1), `${server.adminToken}x`, 'x']) {
      assert.deepEqual(await comparisonsOf(() => check(part)), [false, [32]]);
    }
  });

  test('of a login that waits is compared as a whole', async () => {
    const loginId = `SQ${'0'.repeat(32)}`;
    const sessions = createAuthSessionIds(slices.secret);
    await requireWhole(sessions.make(loginId), loginId.length, sessions.read);
    const verifiers = createVerifiers(slices.secret);
    const verifier = verifiers.make(`CL${'0'.repeat(32)}`, 'first');
    await requireWhole(verifier, verifier.length - 43, verifiers.read);
    const limit = { free: 90, windowSec: 60, delaySec: 1, longestDelaySec: 1 };
    const pins = createPinCodes(slices.secret, slices.random, createAttemptStore(slices), limit);
    const row = () => ({ id: loginId, tries: 0, pin_mac: pins.mac(loginId, '123456') }) as LoginRow;
    await requireWhole('123456', 0, (pin) => pins.matches(row(), pin));
  });

  test('in a token is compared as a whole', async () => {
    const tokens = createTokens(slices.secret);
    const access = tokens.access({ id: 1, mid: 'u1' }, 1, 1000, 2000);
    await requireWhole(access, access.length - 43, tokens.readAccess);
    const refresh = tokens.refresh(1, 1);
    await requireWhole(refresh, refresh.length - 43, tokens.readRefresh);
    const scoped = tokens.scoped('a purpose');
    const token = scoped.make(1, 2000, 3);
    await requireWhole(token, token.length - 43, scoped.read);
  });

  test('in a credential and in a signature is compared as a whole', async () => {
    const fields = (key: string) =>
      Buffer.concat(
        [key, 'somebody', PASSWORD].map((text) => Buffer.from(`${String.fromCharCode(text.length)}${text}`)),
      );
    await requireWhole('0123456789abcdef', 0, (key) => parseCredential(fields(key), '0123456789abcdef'));
    const verify = scheme1(['build']);
    const body = Buffer.from('[]');
    const token = { accessToken: 'token', accessHeader: 'X-Svc-Access' };
    const parts = { path: '/p', body, version: undefined, ...token, keys: undefined };
    // The server compares signatures as base64 text.
    const signature = Buffer.alloc(32, 1).toString('base64');
    for (const given of [signature, changedAt(signature, 0), changedAt(signature, -3)]) {
      assert.deepEqual(await comparisonsOf(() => verify({ ...parts, signature: given })), [false, [44]]);
    }
  });
});
