// Grades clients with the command `sealpost conformance --client`, as their authors do.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { run } from '@sealpost/dev-env/command';
import { Compile } from 'typebox/compile';
import { jsonOutput } from '../src/json-output.ts';

const folder = mkdtempSync(join(tmpdir(), 'sealpost-grades-cli-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const bot = ['--', 'python3', join(import.meta.dirname, '../../testing/test/clients/echo_bot.py')];
const grade = (...args: string[]) => run({}, ['conformance', '--client', ...args]);

test('scenarios that a client passes end with code 0', async () => {
  const { code, out, err } = await grade('--only', 'login/credential,stream/ping', '--patience', '60', ...bot);
  assert.equal(code, 0, out + err);
  assert.match(out, /ok {4}login +1 of 1\nok {4}stream +1 of 1\n/);
  assert.match(out, /2 scenarios: 2 passed, 0 failed, 0 not reached/);
});

test('a scenario that fails makes the command fail, and the page says why', async () => {
  const page = join(folder, 'grades.html');
  const args = ['--only', 'tokens/scheduled,groups/create', '--report', 'html', '--output', page, '--patience', '30'];
  const { code, err } = await grade(...args, ...bot);
  assert.equal(code, 1);
  assert.match(err, /1 of 2 scenarios failed/);
  const html = readFileSync(page, 'utf8');
  assert.match(html, /<b class="fail">1 failed<\/b> <b class="open">1 not reached<\/b>/);
  assert.match(html, /A user sees<\/dt><dd>The first message after some days away/);
  assert.doesNotMatch(html, /<script|src=|href="http/);
});

test('a client that does nothing is not graded well: nothing is reached, and the command fails', async () => {
  const { code, out, err } = await grade('--only', 'stream/ping', '--patience', '1', '--report', 'json', '--', 'true');
  assert.equal(code, 1);
  assert.match(err, /No scenario was reached/);
  assert.ok(jsonOutput.conformance && Compile(jsonOutput.conformance).Check(JSON.parse(out)), out);
  const report = JSON.parse(out);
  assert.deepEqual([report.passed, report.failed, report.notReached], [0, 0, 1]);
  assert.match(report.scenarios[0].reach, /log in with SEALPOST_USERID/);
});

test('a report for CI counts what was not reached as skipped', async () => {
  const { out } = await grade('--only', 'stream/ping', '--patience', '1', '--report', 'junit', '--', 'true');
  assert.match(out, /<testsuite name="stream" tests="1" failures="0" skipped="1"/);
  assert.match(out, /<skipped message="not reached: /);
});

test('wrong usage is told: no command, an unknown scenario, a form for clients only', async () => {
  assert.equal((await grade()).code, 2);
  assert.equal((await grade('--only', 'nothing', '--', 'true')).code, 2);
  assert.equal((await grade('--only', 'stream/ping', '--', '/no/such/client')).code, 2);
  assert.equal((await run({}, ['conformance', '--report', 'html'])).code, 2);
  const { code, out } = await grade('--list', '--only', 'wire');
  assert.equal(code, 0);
  assert.match(out, /^wire\/locale +Wire conventions +The locale is sent in both forms/m);
});
