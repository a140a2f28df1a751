// The libraries of OpenTelemetry are loaded only by a server that makes traces.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

/** A module that prints the address of every module that is loaded. */
const watch = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  import { writeSync } from 'node:fs';
  registerHooks({ load: (url, context, next) => (writeSync(2, 'loads ' + url + '\\n'), next(url, context)) });
`)}`;

/** A program that starts a server, calls it, and ends it. */
const program = `
  import { mkdtempSync, rmSync } from 'node:fs';
  import { tmpdir } from 'node:os';
  import { join } from 'node:path';
  import { createServer, loadConfig } from '@sealpost/server';
  const folder = mkdtempSync(join(tmpdir(), 'sealpost-test-'));
  const flags = { port: '0', 'data-dir': folder, 'log-level': 'silent', ...JSON.parse(process.argv[1]) };
  const server = await createServer(loadConfig('serve', { flags, env: {} }));
  await fetch(server.url + '/api/talk/thrift/Talk/TalkService/getProfile', { method: 'POST', body: '[]' });
  await server.close();
  rmSync(folder, { recursive: true, force: true });
`;

function modulesOf(flags: Readonly<Record<string, string>>): string[] {
  const args = ['--import', watch, '--input-type=module', '--eval', program, JSON.stringify(flags)];
  const { stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8', cwd: import.meta.dirname });
  assert.equal(status, 0, stderr);
  return [...stderr.matchAll(/^loads (.*)$/gm)].map(([, url = '']) => url);
}

/** prom-client loads the API, for metrics; it holds no more than interfaces and constants. */
const ofTraces = /\/@opentelemetry\/(?!api\/)|\/observability\/otlp\.ts/;

test('a server without the setting loads none of them', () => {
  const modules = modulesOf({});
  assert.ok(modules.some((url) => url.endsWith('/src/start/server.ts')));
  assert.deepEqual(
    modules.filter((url) => ofTraces.test(url)),
    [],
  );
});

test('a server with the setting loads them', () => {
  const modules = modulesOf({ 'traces-url': 'http://127.0.0.1:9', 'traces-ratio': '0' }).filter((url) =>
    ofTraces.test(url),
  );
  for (const name of ['sdk-trace', 'exporter-trace-otlp-http']) assert.ok(modules.some((url) => url.includes(name)));
});
