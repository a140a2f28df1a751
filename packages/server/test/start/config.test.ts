import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ConfigError } from '../../src/platform/kernel/config-error.ts';
import { loadConfig } from '../../src/start/config/config.ts';
import { shownValue } from '../../src/start/config/setting-value.ts';
import { settings } from '../../src/start/config/settings.ts';
import { settingValues } from '../../src/start/config/sources.ts';
import { createServer } from '../../src/start/server.ts';

const folder = mkdtempSync(join(tmpdir(), 'sealpost-config-'));
after(() => rmSync(folder, { recursive: true }));
const file = (text: string): string => {
  const path = join(folder, 'sealpost.yaml');
  writeFileSync(path, text);
  return path;
};
const refused = (flags: Record<string, string | true>, env: Record<string, string>, message: RegExp) =>
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
  writeFileSync(secret, 'a-token-from-a-file\n');
  const config = loadConfig('serve', { flags: {}, env: { SEALPOST_ADMIN_TOKEN_FILE: secret } });
  assert.equal(config.adminToken, 'a-token-from-a-file');
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

test('invalid values are refused with the value in the message', () => {
  refused({ port: '70000' }, {}, /port is "70000" \(flag --port\); .*0 to 65535/);
  refused({}, { SEALPOST_PORT: 'hello' }, /port is "hello" \(SEALPOST_PORT\)/);
  refused({ port: true }, {}, /--port needs a value: port to listen on/);
  refused({ signature: 'loose' }, {}, /signature is "loose".*strict, lenient, off/);
  refused({ 'rate-send': 'many' }, {}, /rate-send is "many".*2000\+100/);
  refused({ 'database-url': 'mysql://x' }, {}, /database-url is "mysql:\/\/x" .*sqlite:<file>, or postgres:\/\//);
  refused(
    { 'database-url': 'postgres://user:p/w@host:x/db' },
    {},
    /database-url is "postgres:\/\/\(hidden\)@host:x\/db"/,
  );
  // The rest of a password would be shown as the host and the database.
  for (const url of ['postgres://user:p@ss/w:rd@host/db', 'postgres://user:p#w@host/db']) {
    refused(
      { 'database-url': url },
      {},
      /database-url is "postgres:\/\/\(hidden\)@host\/db" .*\/ in the password as %2F/,
    );
  }
  refused({ 'bus-url': 'http://a:b@c' }, {}, /bus-url is "http:\/\/\(hidden\)@c" .*nats:\/\//);
  for (const url of ['foo', 'localhost:8787', 'ftp://x.example', 'https://a:b@x.example', 'https://x.example/?a']) {
    refused({ 'public-url': url }, {}, /public-url is ".*" \(flag --public-url\); .*https:\/\/chat\.example\.org/);
  }
  refused({ 'public-url': 'https://x.example/chat' }, {}, /public-url is .*without a path: clients sign the path/);
  const plain = file('no folder\n');
  for (const path of [plain, '']) {
    refused({ 'data-dir': path }, {}, /data-dir is ".*" \(flag --data-dir\); it must be a folder/);
  }
  refused({ 'build-tokens': ' , ' }, {}, /build-tokens is empty/);
  refused({ 'header-brand': 'A B' }, {}, /header-brand is "A B"/);
});

test('a config file that cannot be read is named, and nothing of its text is shown', () => {
  const inFile = (text: string) => () => loadConfig('serve', { flags: {}, env: {}, file: file(text) });
  const says = (message: RegExp) => (error: unknown) =>
    error instanceof ConfigError && message.test(error.message) && !error.message.includes('5ecret');
  assert.throws(inFile('port: 1\nadmin-token: a: 5ecret\n'), says(/sealpost\.yaml cannot be read: .* at line 2/));
  assert.throws(
    inFile('admin-token: 5ecret\nport: 1\nport: 2\n'),
    says(/sealpost\.yaml cannot be read: .*unique at line 3/),
  );
  assert.throws(
    () => loadConfig('serve', { flags: {}, env: {}, file: folder }),
    says(/sealpost-config-.* cannot be read/),
  );
  assert.equal(inFile('admin-token:\n')().adminToken, undefined);
});

test('an admin token that could be guessed is refused, and not shown', () => {
  refused({ 'admin-token': 'abc' }, {}, /admin-token has 3 characters \(flag --admin-token\); .*at least 16/);
});

test('no setting is shown with what lets anybody in', () => {
  const shown = (name: string, value: string) => {
    const given = settingValues('serve', { flags: { [name]: value }, env: {} }).find((found) => found.name === name);
    return given && shownValue(given);
  };
  assert.equal(shown('database-url', 'postgres://me:p@ss/w@db.example/x'), 'postgres://(hidden)@db.example/x');
  assert.equal(
    shown('database-url', 'postgres://db/x?user=a&password=b&ssl=1'),
    'postgres://db/x?user=a&password=(hidden)&ssl=1',
  );
  assert.equal(shown('database-url', 'me:password@db.example'), '(hidden)@db.example');
  assert.equal(shown('database-url', 'sqlite:./a@b.db'), 'sqlite:./a@b.db');
  assert.equal(shown('database-url', 'host=a password=secret dbname=x'), 'host=a password=(hidden) dbname=x');
  assert.equal(shown('database-url', "password = 'two words' host=a"), 'password = (hidden) host=a');
  assert.equal(shown('bus-url', 'nats://token@bus.example:4222'), 'nats://(hidden)@bus.example:4222');
  assert.equal(shown('objects-url', 's3://key:secret@bucket/x'), 's3://(hidden)@bucket/x');
  assert.equal(shown('s3-endpoint', 'https://key:secret@s3.example'), 'https://(hidden)@s3.example');
  assert.equal(shown('public-url', 'https://chat.example'), 'https://chat.example');
  assert.equal(shown('s3-secret-key', 'x'), '(hidden)');
  assert.equal(shown('s3-secret-key', ''), '');
});

test('a data folder that cannot be made is named', async () => {
  const path = join(file('no folder\n'), 'inside');
  const config = loadConfig('serve', { flags: { 'data-dir': path, 'log-level': 'silent' }, env: {} });
  await assert.rejects(createServer(config), (error) => error instanceof ConfigError && error.message.includes(path));
});

test('contradictions stop the start and name the way out', () => {
  refused({ host: '0.0.0.0' }, {}, /plain http.*--public-url https.*--allow-plain-http/);
  refused({ 'bus-url': 'nats://127.0.0.1' }, {}, /SQLite cannot be shared/);
  assert.throws(() => loadConfig('dev', { flags: { host: '10.0.0.1' }, env: {} }), /dev mode.*loopback only/);
  const behind = { 'trusted-proxies': '127.0.0.1' };
  assert.throws(
    () => loadConfig('dev', { flags: behind, env: {} }),
    /dev mode.*trusted-proxies is 127\.0\.0\.1.*serve/,
  );
  assert.equal(
    loadConfig('serve', { flags: { host: '0.0.0.0', 'public-url': 'https://x.example/' }, env: {} }).publicUrl,
    'https://x.example',
  );
});

test('dev mode has its own defaults', () => {
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

test('invalid S3 settings are refused with the remedy', () => {
  refused({ 'objects-url': 'ftp://x' }, {}, /objects-url is "ftp:\/\/x" .*file:<folder> or s3:\/\/<bucket>/);
  for (const url of ['s3://', 's3://My_Bucket', 's3://key:secret@host/bucket', 's3://bucket/a b', 's3://bucket//x']) {
    refused({ 'objects-url': url }, {}, /must be s3:\/\/<bucket>.*s3-endpoint/);
  }
  refused(
    { 's3-endpoint': 'http://127.0.0.1:9000' },
    {},
    /s3-endpoint is set \(flag --s3-endpoint\).*set objects-url to s3:\/\/<bucket>/,
  );
  refused({ ...s3, 's3-endpoint': 'localhost:9000' }, {}, /s3-endpoint is "localhost:9000".*https:\/\/s3/);
  refused({ ...s3, 's3-access-key': 'key' }, {}, /s3-secret-key is empty/);
  refused({ ...s3, 's3-secret-key': 'secret' }, {}, /s3-access-key is empty/);
  refused({ ...s3, 's3-link-seconds': '604801' }, {}, /s3-link-seconds is "604801".*604800/);
  refused({ ...s3, 's3-path-style': 'yes' }, {}, /s3-path-style is "yes".*auto, true, false/);
  refused({ ...s3, 's3-endpoint': 'http://10.0.0.1:9000' }, {}, /in the clear.*--allow-plain-http/);
  const endpoint = 'https://key:secret@s3.example.org';
  assert.throws(
    () => objectsOf({ ...s3, 's3-endpoint': endpoint }),
    ({ message }: Error) => /without user, password or query/.test(message) && !message.includes('secret@'),
  );
  assert.equal(objectsOf({ ...s3, 's3-endpoint': 'http://10.0.0.1:9000', 'allow-plain-http': 'true' }).kind, 's3');
});
