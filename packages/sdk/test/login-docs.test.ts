import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { errors } from '@sealpost/contract';
import { methodNames, methodOf } from '@sealpost/contract/schemas';

const page = readFileSync(new URL('../../../docs/login.md', import.meta.url), 'utf8');
const login = /^(AuthService\.(loginV2|confirmE2EELogin)|SecondaryQrCode\w+\.|PrimaryDeviceService\.)/;

test('the page on login says what to do about every error of every call of a login', () => {
  for (const method of methodNames.filter((name) => login.test(name))) {
    for (const error of methodOf(method).errors) assert.ok(page.includes(`\`${error}\``), `${error} of ${method}`);
  }
});

test('the page on login gives every error the number that it has', () => {
  const named = [...page.matchAll(/`([A-Z0-9_]+)` \((?:HTTP )?(\d+)/g)];
  assert.ok(named.length > 20);
  for (const [, name = '', number] of named) {
    const entry = errors[name as keyof typeof errors];
    assert.ok(entry, name);
    const expected = name.startsWith('POLL_') ? entry.http : entry.code;
    assert.equal(Number(number), expected, name);
  }
});
