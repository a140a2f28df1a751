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

const s3 = { 'objects-url': 's3://media/of/all/', 's3-endpoint': 'http://127.0.0.1:9000/' };
const objectsOf = (flags: Record<string, string>, env = {}) => loadConfig('serve', { flags, env }).objects;

test('objects lie in a folder, or in a bucket of S3', () => {
  assert.deepEqual(objectsOf({}), { kind: 'disk', path: './data/objects' });
  assert.deepEqual(objectsOf({ 'objects-url': 'file:///var/media' }), { kind: 'disk', path: '/var/media' });
  const secret = join(folder, 'secret');
  writeFileSync(secret, 'hidden\n');
  assert.deepEqual(objectsOf({ ...s3, 's3-access-key': 'key' }, { SEALPOST_S3_SECRET_KEY_FILE: secret }), {
    kind: 's3',
    bucket: 'media',
    prefix: 'of/all/',
    endpoint: 'http://127.0.0.1:9000',
    region: 'us-east-1',
    credentials: { accessKeyId: 'key', secretAccessKey: 'hidden' },
    pathStyle: true,
    linkSeconds: 0,
    linkEndpoint: undefined,
    spool: './data/spool',
  });
  const service = objectsOf({ 'objects-url': 's3://media' });
  assert.ok(service.kind === 's3' && !service.pathStyle && service.prefix === '' && service.endpoint === undefined);
  assert.ok(service.credentials === undefined);
});

test('settings of S3 that cannot be are refused with the way out', () => {
  refused({ 'objects-url': 'ftp://x' }, {}, /file: and name a folder, or with s3:\/\/ and name a bucket, not "ftp"/);
  for (const url of ['s3://', 's3://My_Bucket', 's3://key:secret@host/bucket', 's3://bucket/a b', 's3://bucket//x']) {
    refused({ 'objects-url': url }, {}, /must be s3:\/\/<bucket>.*s3-endpoint/);
  }
  refused({ 's3-endpoint': 'http://127.0.0.1:9000' }, {}, /s3-endpoint is set.*set objects-url to s3:\/\/<bucket>/);
  refused({ ...s3, 's3-endpoint': 'localhost:9000' }, {}, /s3-endpoint is "localhost:9000".*https:\/\/s3/);
  refused({ ...s3, 's3-access-key': 'key' }, {}, /s3-secret-key is empty/);
  refused({ ...s3, 's3-secret-key': 'secret' }, {}, /s3-access-key is empty/);
  refused({ ...s3, 's3-link-seconds': '604801' }, {}, /s3-link-seconds is "604801".*604800/);
  refused({ ...s3, 's3-path-style': 'yes' }, {}, /s3-path-style is "yes".*auto, true, false/);
  refused({ ...s3, 's3-endpoint': 'http://10.0.0.1:9000' }, {}, /in the clear.*--allow-plain-http/);
  const endpoint = 'https://key:secret@s3.example.org';
  assert.throws(
    () => objectsOf({ ...s3, 's3-endpoint': endpoint }),
    ({ message }: Error) => /without a key in it/.test(message) && !message.includes('secret@'),
  );
  assert.equal(objectsOf({ ...s3, 's3-endpoint': 'http://10.0.0.1:9000', 'allow-plain-http': 'true' }).kind, 's3');
});
