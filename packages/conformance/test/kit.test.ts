import assert from 'node:assert/strict';
import { test } from 'node:test';
import { httpEndpoints, methodNames } from '@sealpost/contract/schemas';
import { type Check, jsonReport, junitReport, type Report, selectChecks, textReport } from '../src/index.ts';

const checks = selectChecks();
/**
 * Matches the ids of checks that the kit makes for every endpoint alike. These checks pass even if the endpoint is not
 * served.
 */
const refusals = /\/(no-token|junk-token|signature|verb|arguments|wrong-values)$/;

test('Every endpoint of the contract has a check that fails while the endpoint is not served', () => {
  const needed = new Set<string>(checks.filter(({ id }) => !refusals.test(id)).map(({ endpoint }) => endpoint));
  const endpoints = [...methodNames, ...Object.keys(httpEndpoints)];
  assert.deepEqual(
    endpoints.filter((endpoint) => !needed.has(endpoint)),
    [],
  );
});

test('A check has an id of its own without blanks, a heading, and one sentence', () => {
  assert.equal(new Set(checks.map(({ id }) => id)).size, checks.length);
  for (const { id, heading, expects } of checks) {
    assert.match(id, /^\S+\/\S+$/);
    assert.notEqual(heading, '', id);
    assert.doesNotMatch(expects, /\.$|\n/, id);
  }
});

test('Checks are selected by topic, endpoint, short name of the endpoint, and id', () => {
  const idsOf = (...only: string[]) => selectChecks(only).map(({ id }) => id);
  assert.ok(idsOf('sync').includes('sync/replay-then-live'));
  assert.deepEqual(idsOf('sendMessage'), idsOf('TalkService.sendMessage'));
  assert.deepEqual(idsOf('rooms/leave', 'sealing/negotiate'), ['rooms/leave', 'sealing/negotiate']);
  assert.throws(() => selectChecks(['sendMesage']), /"sendMesage" is not a topic, endpoint or check/);
});

const check: Check = {
  id: 'topic/name',
  topic: 'topic',
  endpoint: 'TalkService.sendMessage',
  heading: 'Messaging',
  expects: 'It is so',
  run: async () => {},
};
const report: Report = {
  target: { url: 'http://127.0.0.1:1', brand: 'Svc', buildToken: 'secret', signature: 'strict' },
  milliseconds: 1234,
  outcomes: [
    { check: { ...check, id: 'topic/good' }, milliseconds: 1 },
    { check, milliseconds: 2, failure: { expected: '<a> & "b"', seen: 'ends \u0000 in ]]> and \ud800' } },
  ],
};
const repeat = (id: string) => `again ${id}`;

test('The text report tells of a failure what is needed to see it again', () => {
  const text = textReport(report, repeat);
  for (const part of ['topic/name', 'TalkService.sendMessage', 'Messaging', '<a> & "b"', ']]>', 'again topic/name']) {
    assert.ok(text.includes(part), part);
  }
  assert.match(text, /2 checks, 1 failed, 1\.2 s/);
});

test('The JSON report has every check, and no secret', () => {
  const json = JSON.parse(JSON.stringify(jsonReport(report, repeat)));
  assert.deepEqual([json.passed, json.failed, json.checks.length], [1, 1, 2]);
  assert.equal(json.checks[1].again, 'again topic/name');
  assert.ok(!JSON.stringify(json).includes('secret'));
});

test('The JUnit report is XML, whatever a server answers', () => {
  const xml = junitReport(report, repeat);
  assert.match(xml, /<testsuite name="topic" tests="2" failures="1"/);
  assert.ok(xml.includes('came: ends \ufffd in ]]&gt; and \ufffd'));
  assert.ok(xml.includes('expected: &lt;a&gt; &amp; &quot;b&quot;'));
  assert.doesNotMatch(xml.replaceAll(/<\/?[a-z]+( [a-z]+="[^"<]*")*\/?>|<\?xml [^<]*\?>/g, ''), /[<>]/);
});
