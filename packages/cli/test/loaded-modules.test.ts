// Client commands start fast because they load few modules: no schemas, and no module of the server.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const bin = fileURLToPath(new URL('../bin/sealpost.js', import.meta.url));
/** A module that prints the address of every module that is loaded. */
const watch = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  import { writeSync } from 'node:fs';
  registerHooks({ load: (url, context, next) => (writeSync(2, 'loads ' + url + '\\n'), next(url, context)) });
  process.on('exit', () => writeSync(2, process.moduleLoadList.map((name) => 'loads ' + name + '\\n').join('')));
`)}`;

function modulesOf(...args: string[]): string[] {
  const env = { ...process.env, SEALPOST_URL: 'http://127.0.0.1:9', SEALPOST_ADMIN_TOKEN: 'of nobody' };
  const { stderr } = spawnSync(process.execPath, ['--import', watch, bin, ...args], { encoding: 'utf8', env });
  return [...stderr.matchAll(/^loads (.*)$/gm)].map(([, url = '']) => url);
}

test('a command of a client loads no schemas and nothing of the server', () => {
  const modules = modulesOf('sign', '--help');
  assert.ok(modules.some((url) => url.includes('/packages/sdk/')));
  assert.deepEqual(
    modules.filter((url) => /\/typebox\/|\/packages\/(server|conformance)\//.test(url)),
    [],
  );
});

test('a command of an operator loads the schemas of the admin API when it calls it', () => {
  assert.ok(modulesOf('account', 'list').some((url) => url.includes('/typebox/')));
});

test('a server loads neither fetch nor what only some settings and uploads need', () => {
  // The command loads the server, and ends without a start.
  const modules = modulesOf('config');
  assert.ok(modules.some((url) => url.includes('/packages/server/src/start/server.ts')));
  assert.ok(modules.includes('NativeModule http'));
  // prom-client loads the API of OpenTelemetry, which holds no more than interfaces and constants.
  const rare =
    /undici|\/node_modules\/(@aws-sdk|@nats-io|@opentelemetry\/(?!api\/)[^/]+|file-type|music-metadata|pg|sharp|yaml|yauzl)\//;
  assert.deepEqual(
    modules.filter((url) => rare.test(url)),
    [],
  );
});
