// What a page loads of the SDK before it does anything, and what it loads only when it is needed.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { bundleWith, gzippedSize } from '@sealpost/dev-env/browser-bundle';

/**
 * The programs that are measured, each with the most bytes that it may load to send and open a sealed message: at first,
 * and with the checks of keys. docs/sdk.md tells the sizes.
 */
const programs = [
  { names: ['createRpcClient', 'createSealingClient'], most: 33_400 },
  { names: ['createClient', 'browserStore'], most: 55_250 },
];

/** Loaded when the first key of somebody else is checked, or the own keys are. */
const CHECKS = 'packages/sdk/src/key-log/key-log-witness.ts';

/** Modules that must not be loaded at first. */
const deferred = [
  'node_modules/@noble/curves/ed25519.js',
  'node_modules/@noble/hashes/argon2.js',
  'node_modules/@noble/hashes/sha2.js',
  'node_modules/@zxcvbn-ts/core/dist/index.mjs',
  'packages/contract/src/errors.ts',
  'packages/crypto/src/letter-sealing/safety-number.ts',
  'packages/crypto/src/login-words.ts',
  'packages/sdk/src/devices/devices.ts',
  'packages/sdk/src/key-backup/recovery.ts',
  'packages/sdk/src/key-log/key-log-witness.ts',
  'packages/sdk/src/key-store/passphrase-records.ts',
  'packages/sdk/src/login/login.ts',
  'packages/sdk/src/login/qr-login.ts',
  'packages/sdk/src/media/media.ts',
  'packages/sdk/src/media/object-storage.ts',
  'packages/sdk/src/sealing/group-key-registry.ts',
];

for (const { names, most } of programs) {
  describe(`a page with ${names.join(' and ')}`, async () => {
    const bundle = await bundleWith(names);
    const first = bundle.loadedWith();
    const checking = [...new Set([...first, ...bundle.loadedWith(CHECKS)])];
    const modules = first.flatMap((file) => file.modules);

    test(`loads at most ${most} bytes until the first sealed message is sent`, () => {
      const size = gzippedSize(checking);
      assert.ok(size <= most, `it loads ${size} bytes; npm run bench:size shows by what`);
    });

    test('checks keys by WebCrypto, and loads a library of signatures and SHA-512 only where that does not know them', () => {
      const loaded = checking.flatMap((file) => file.modules);
      assert.deepEqual(
        loaded.filter((module) => module.includes('/@noble/')),
        [],
      );
    });

    test('loads what it may never need only when it needs it', () => {
      const others = bundle.files.filter((file) => !first.includes(file)).flatMap((file) => file.modules);
      for (const module of deferred) {
        assert.ok(!modules.includes(module), `${module} is loaded at first`);
        assert.ok(others.includes(module), `${module} is not in the bundle: is its path another one?`);
      }
    });

    test('has no schema of the contract', () => {
      const all = bundle.files.flatMap((file) => file.modules);
      assert.deepEqual(
        all.filter((module) => /\/typebox\/|contract\/src\/schemas?\.ts$/.test(module)),
        [],
      );
    });
  });
}
