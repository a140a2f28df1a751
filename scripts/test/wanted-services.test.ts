import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { wantedServices } from '../wanted-services.ts';

const root = join(import.meta.dirname, '../..');
const wantedBy = (...files: string[]) => [...wantedServices(root, files)].sort();

test('a service is wanted where a test file, or what it imports, names its variable', () => {
  assert.deepEqual(wantedBy('packages/conformance/test/kit.test.ts'), []);
  assert.deepEqual(wantedBy('packages/crypto/test/recovery.test.ts'), ['python']);
  assert.deepEqual(wantedBy('packages/server/test/slices/messaging/messaging.test.ts'), ['nats', 'postgres']);
  assert.ok(wantedBy('packages/server/test/platform/objects/objects-s3.test.ts').includes('s3'));
  assert.ok(wantedBy('packages/server/test/slices/media/media.test.ts').includes('s3'));
  assert.ok(wantedBy('packages/server/test/slices/media/media-browser.test.ts').includes('chromium'));
});
