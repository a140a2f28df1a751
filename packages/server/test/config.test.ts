import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ConfigError, loadConfig, settings, settingValues } from '../src/config.ts';

const folder = mkdtempSync(join(tmpdir(), 'sealpost-config-'));
after(() => rmSync(folder, { recursive: true }));
const file = (text: string): string => {
  const path = join(folder, 'sealpost.yaml');
  writeFileSync(path, text);
  return path;
};
const refused = (flags: Record<string, string>, env: Record<string, string>, message: RegExp) =>
  assert.throws(
    () => loadConfig('serve', { flags, env }),
    (error) => error instanceof ConfigError && message.test(error.message),
  );

test('flags win over the environment, that over the file, that over defaults, and each value says its source', () => {
  const path = file('port: 1003\nhost: 127.0.0.3\nheader-brand: File\n');
  const values = settingValues('serve', {
    flags: { port: '1001' },
    env: { SEALPOST_PORT: '1002', SEALPOST_HOST: '127.0.0.2' },
    file: path,
  });
  const of = (name: string) => values.filter((v) => v.name === name).map(({ value, source }) => [value, source])[0];
  assert.deepEqual(of('port'), ['1001', 'flag --port']);
  assert.deepEqual(of('host'), ['127.0.0.2', 'SEALPOST_HOST']);
  assert.deepEqual(of('header-brand'), ['File', path]);
  assert.deepEqual(of('signature'), ['strict', 'default']);
  assert.equal(values.length, settings.length);
});

test('a secret can come from a file', () => {
  const secret = join(folder, 'token');
  writeFileSync(secret, 'from-a-file\n');
  const config = loadConfig('serve', { flags: {}, env: { SEALPOST_ADMIN_TOKEN_FILE: secret } });
  assert.equal(config.adminToken, 'from-a-file');
  refused({}, { SEALPOST_ADMIN_TOKEN_FILE: join(folder, 'absent') }, /ADMIN_TOKEN_FILE.*absent.*cannot be read/);
});

test('unknown settings are refused with the one that was meant', () => {
  refused({ prot: '1' }, {}, /flag --prot\. Did you mean port\?/);
  refused({}, { SEALPOST_SIGNATUR: 'off' }, /SEALPOST_SIGNATUR\. Did you mean signature\?/);
  assert.throws(
    () => loadConfig('serve', { flags: {}, env: {}, file: file('hots: x\n') }),
    /hots in .*Did you mean host\?/,
  );
});

test('values that cannot be are refused with the value seen', () => {
  refused({ port: '70000' }, {}, /port is "70000".*0 to 65535/);
  refused({ signature: 'loose' }, {}, /signature is "loose".*strict, lenient, off/);
  refused({ 'rate-send': 'many' }, {}, /rate-send is "many".*2000\+100/);
  refused({ 'database-url': 'mysql://x' }, {}, /sqlite: or postgres:\/\/, not "mysql"/);
  refused({ 'build-tokens': ' , ' }, {}, /build-tokens is empty/);
  refused({ 'header-brand': 'A B' }, {}, /header-brand is "A B"/);
});

test('contradictions stop the start and name the way out', () => {
  refused({ host: '0.0.0.0' }, {}, /plain http.*--public-url https.*--allow-plain-http/);
  refused({ 'bus-url': 'nats://127.0.0.1' }, {}, /SQLite cannot be shared/);
  refused({ registration: 'open' }, {}, /cannot do yet/);
  assert.throws(() => loadConfig('dev', { flags: { host: '10.0.0.1' }, env: {} }), /dev profile.*loopback only/);
  assert.equal(
    loadConfig('serve', { flags: { host: '0.0.0.0', 'public-url': 'https://x.example/' }, env: {} }).publicUrl,
    'https://x.example',
  );
});

test('the dev profile has its own defaults', () => {
  const sources = { flags: {}, env: {} };
  assert.equal(loadConfig('dev', sources).loginConfirmation, 'never');
  assert.equal(loadConfig('serve', sources).loginConfirmation, 'new-device');
  assert.deepEqual(loadConfig('serve', sources).database, { kind: 'sqlite', path: './data/sealpost.db' });
});
