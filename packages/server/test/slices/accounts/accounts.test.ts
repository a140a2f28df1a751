import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openSlices, type Slices } from '@sealpost/dev-env/account-slices';
import { databases } from '@sealpost/dev-env/harness';
import { virtualTime } from '@sealpost/dev-env/virtual-time';
import { systemPorts } from '../../../src/platform/kernel/system.ts';
import { createBuckets } from '../../../src/platform/rpc/token-bucket.ts';
import { AccountConflict, createPasswords, InvalidAccount } from '../../../src/slices/accounts/index.ts';

for (const kind of databases) {
  describe(`accounts on ${kind}`, () => {
    let slices: Slices;
    before(async () => {
      slices = await openSlices(kind);
    });
    after(() => slices.close());
    const create = (userid: string, more: object = {}) =>
      slices.accounts.create({ userid, password: 'correct horse', displayName: 'Somebody', ...more });

    test('a new account has a mid, an empty operation log and is found by mid and id', async () => {
      const { id, mid } = await create('anna', { kind: 'official' });
      const { accounts, store, operationLog } = slices;
      await store.read(async (reader) => {
        assert.deepEqual(await accounts.findByMid(reader, mid), { id, mid, kind: 'official' });
        assert.deepEqual(await accounts.findById(reader, id), { id, mid, kind: 'official' });
        assert.equal(await accounts.idOf(reader, `u${'0'.repeat(32)}`), undefined);
        assert.deepEqual(await operationLog.head(reader, id), { revision: 0, firstRevision: 1 });
      });
    });

    test('a conflict and a broken rule are told apart and name their fields', async () => {
      await create('ben', { email: 'ben@example.org' });
      await assert.rejects(
        create('carl', { email: ' BEN@example.org' }),
        (error: AccountConflict) => error instanceof AccountConflict && error.field === 'email',
      );
      await assert.rejects(create('', { phone: '0312345678' }), (error: InvalidAccount) => {
        assert.ok(error instanceof InvalidAccount);
        assert.deepEqual(
          error.errors.map(({ field }) => field),
          ['userid', 'phone'],
        );
        return true;
      });
    });

    test('a failing step that runs with a change is undone together with the change', async () => {
      const fail = async () => {
        throw new Error('no');
      };
      await assert.rejects(
        slices.accounts.create({ userid: 'dora', password: 'correct horse', displayName: 'D' }, fail),
        /no/,
      );
      assert.equal(await slices.accounts.show('dora'), undefined);
    });

    test('a deleted account leaves no personal data in its rows', async () => {
      const { id, mid } = await create('emil', { email: 'emil@example.org', phone: '+819012345678' });
      assert.equal(await slices.accounts.remove(id), true);
      assert.equal(await slices.accounts.remove(id), false);
      assert.equal(await slices.accounts.show(mid), undefined);
      for (const identifier of ['emil', 'emil@example.org', '+819012345678']) {
        assert.equal(await slices.store.read((reader) => slices.accounts.byIdentifier(reader, identifier)), undefined);
      }
    });
  });
}

test('passwords are stored as argon2id with 19 MiB, two passes and one lane', async () => {
  const passwords = createPasswords(systemPorts.slowCrypto);
  const stored = await passwords.hash('correct horse');
  assert.match(stored, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  assert.equal(await passwords.verify(stored, 'correct horse'), true);
  assert.equal(await passwords.verify(stored, 'wrong horse'), false);
});

test('the password of an unknown user costs one check and never matches', async () => {
  let checks = 0;
  const matches = await createPasswords(systemPorts.slowCrypto).verify(undefined, 'anything', async () => {
    checks += 1;
  });
  assert.deepEqual([matches, checks], [false, 1]);
});

test('password checks beyond the queue are refused at once, and the others all finish', async () => {
  const passwords = createPasswords(systemPorts.slowCrypto, { width: 2, waiting: 3 });
  const results = await Promise.allSettled(Array.from({ length: 8 }, () => passwords.verify(undefined, 'x')));
  assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 5);
  for (const result of results) if (result.status === 'rejected') assert.equal(result.reason.code, 'SERVER_BUSY');
  assert.equal(await passwords.verify(undefined, 'x'), false);
});

test('a token bucket gives its burst at once, refills with time and says how long to wait', () => {
  const clock = virtualTime();
  const buckets = createBuckets(clock, { burst: 3, perSecond: 2 }, 100);
  for (let n = 0; n < 3; n++) assert.deepEqual(buckets.take('a'), { ok: true });
  assert.deepEqual(buckets.take('a'), { ok: false, retryAfterMs: 500 });
  assert.deepEqual(buckets.take('b', 3), { ok: true });
  clock.move(500);
  assert.deepEqual(buckets.peek('a'), { ok: true });
  assert.deepEqual(buckets.take('a'), { ok: true });
  assert.equal(buckets.take('a').ok, false);
  buckets.give('a');
  assert.deepEqual(buckets.take('a'), { ok: true });
  clock.move(3_600_000);
  assert.deepEqual(buckets.take('a', 4), { ok: true });
  assert.deepEqual(buckets.take('a'), { ok: false, retryAfterMs: 1000 });
  assert.deepEqual(buckets.take('a', 4), { ok: false, retryAfterMs: 2000 });
});
