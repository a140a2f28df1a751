import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  createKeyPair,
  decodeKeyChain,
  fromBase64,
  OpenError,
  type OpenErrorReason,
  openKeyChainBackup,
  openWithPassphrase,
  type PassphraseCost,
  sealKeyChainBackup,
  sealWithPassphrase,
  toBase64,
} from '@sealpost/crypto';
import { fc } from '@sealpost/dev-env/chance';
import { runProgram, withPython } from './independent-program.ts';

type Case = Record<'name' | 'passphrase' | 'salt' | 'nonce' | 'plain' | 'sealed', string> & { cost: PassphraseCost };

const root = new URL('../../../', import.meta.url);
const vectors = JSON.parse(readFileSync(new URL('docs/recovery-vectors.json', root), 'utf8')) as {
  keyChains: Case[];
  others: Case[];
};
const cheap: PassphraseCost = { memoryKiB: 8, passes: 1, lanes: 1 };
const failsWith = (reason: OpenErrorReason) => (error: unknown) =>
  error instanceof OpenError && error.reason === reason;
const fixed = (v: Case) => (length: number) => fromBase64(length === 12 ? v.nonce : v.salt);

for (const v of vectors.keyChains) {
  test(`the backup of a key chain is that of the vector, and opens: ${v.name}`, async () => {
    const entries = decodeKeyChain(fromBase64(v.plain));
    assert.ok(entries.length > 0);
    const sealed = await sealKeyChainBackup(entries, v.passphrase, { cost: v.cost, random: fixed(v) });
    assert.equal(toBase64(sealed), v.sealed);
    assert.deepEqual(await openKeyChainBackup(fromBase64(v.sealed), v.passphrase), entries);
  });
}

for (const v of vectors.others) {
  test(`bytes under a passphrase are those of the vector, and are not a key chain: ${v.name}`, async () => {
    const sealed = await sealWithPassphrase(fromBase64(v.plain), v.passphrase, { cost: v.cost, random: fixed(v) });
    assert.equal(toBase64(sealed), v.sealed);
    assert.equal(toBase64(await openWithPassphrase(sealed, v.passphrase)), v.plain);
    await assert.rejects(openKeyChainBackup(sealed, v.passphrase), failsWith('payload'));
  });
}

test('the standard cost is that of the first vector', async () => {
  const [v] = vectors.keyChains as [Case];
  const sealed = await sealWithPassphrase(fromBase64(v.plain), v.passphrase, { random: fixed(v) });
  assert.equal(toBase64(sealed), v.sealed);
});

test('a passphrase opens in any of its spellings, another one does not', async () => {
  const sealed = await sealWithPassphrase(new Uint8Array(5), 'Ångström', { cost: cheap });
  assert.equal((await openWithPassphrase(sealed, 'A\u030angstro\u0308m')).length, 5);
  for (const wrong of ['ångström', 'Ångström ', 'Angstrom', ''])
    await assert.rejects(openWithPassphrase(sealed, wrong), failsWith('tampered'));
});

test('no changed bit and no cut opens, wherever it is', async () => {
  const sealed = await sealWithPassphrase(new Uint8Array(20), 'p', { cost: cheap });
  for (let at = 0; at < sealed.length; at++) {
    // These bytes are the cost. They are skipped, because a changed cost may be valid and high, which would make the
    // test slow.
    if (at >= 5 && at <= 9) continue;
    await assert.rejects(openWithPassphrase(sealed.with(at, (sealed[at] ?? 0) ^ 1), 'p'), OpenError);
    await assert.rejects(openWithPassphrase(sealed.slice(0, at), 'p'), OpenError);
  }
  await assert.rejects(openWithPassphrase(sealed.with(4, 2), 'p'), failsWith('version'));
  await assert.rejects(openWithPassphrase(sealed.with(8, 9), 'p'), failsWith('tampered'));
});

test('a cost that somebody raised is not paid', async () => {
  const sealed = await sealWithPassphrase(new Uint8Array(20), 'p', { cost: cheap });
  for (const changed of [
    sealed.with(5, 0xff),
    sealed.with(6, 0x10),
    sealed.with(9, 11),
    sealed.with(10, 0),
    sealed.with(8, 7),
  ])
    await assert.rejects(openWithPassphrase(changed, 'p'), failsWith('malformed'));
  for (const cost of [
    { ...cheap, memoryKiB: 2 ** 20 },
    { ...cheap, passes: 0.5 },
    { ...cheap, lanes: 2 },
  ])
    await assert.rejects(sealWithPassphrase(new Uint8Array(), 'p', { cost }), RangeError);
  await assert.rejects(sealWithPassphrase(new Uint8Array(), '', { cost: cheap }), RangeError);
});

test('bytes of any kind open or fail with a reason', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 120 }), fc.boolean(), async (bytes, withHead) => {
      const head = withHead ? [0x53, 0x50, 0x4b, 0x42, 1, 0, 0, 0, 8, 1, 1] : [];
      await assert.rejects(openKeyChainBackup(Uint8Array.from([...head, ...bytes]), 'p'), OpenError);
    }),
    { numRuns: 500 },
  );
});

test('two backups of the same keys have nothing in common that shows it', async () => {
  const entries = [{ ...createKeyPair(), version: 1, keyId: 1, createdTime: 1 }];
  const [one, two] = await Promise.all([1, 2].map(() => sealKeyChainBackup(entries, 'p', { cost: cheap })));
  assert.notDeepEqual(one?.slice(11), two?.slice(11));
});

test('the published backups are what the independent program makes', withPython, () => {
  runProgram('recovery-vectors.py', '--check');
});

test('the independent program opens what is sealed here with randomness of its own', withPython, async () => {
  const all = [...vectors.keyChains.slice(1), ...vectors.others];
  const cases = await Promise.all(
    all.map(async ({ plain, passphrase, cost }) => ({
      passphrase,
      sealed: toBase64(await sealWithPassphrase(fromBase64(plain), passphrase, { cost })),
    })),
  );
  assert.deepEqual(
    JSON.parse(runProgram('recovery-vectors.py', '--open', JSON.stringify(cases))),
    all.map((v) => v.plain),
  );
});
