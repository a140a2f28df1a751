// The dashboard and the alert rules: each expression is valid, and names only metrics, labels and values that a real
// server shows. The guide describes every metric and every alert.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { parser } from '@prometheus-io/lezer-promql';
import { startServer, type TestServer } from '@sealpost/dev-env/harness';
import { objectClient } from '@sealpost/dev-env/object-client';
import { parse } from 'yaml';

const root = join(import.meta.dirname, '../../../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** Labels that Prometheus or the expressions themselves add. */
const ADDED = ['job', 'instance', 'le'];
/** Labels of series that this test does not cause: a fault of the server, and a call to another server. */
const NOT_CAUSED = ['error', 'sealpost_outbound_duration_seconds.outcome'];

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string };
}

interface Panel {
  readonly title: string;
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}

const { groups }: { groups: readonly { readonly rules: readonly Rule[] }[] } = parse(
  read('deploy/observability/alerts.yaml'),
);
const rules = groups.flatMap((group) => group.rules);
const { panels }: { panels: readonly Panel[] } = JSON.parse(read('deploy/observability/dashboard.json'));
const guide = read('docs/observability.md');

/** Expressions with the name of what they belong to. The variables of the dashboard stand for these values. */
const expressions = [
  ...rules.map(({ alert, expr }) => ({ of: alert, expr })),
  ...panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ of: title, expr }))),
].map(({ of, expr }) => ({ of, expr: expr.replaceAll('$__rate_interval', '5m').replaceAll('$job', 'sealpost') }));

/** Returns the texts of the nodes of a kind in an expression, and the number of its errors. */
function partsOf(expr: string) {
  const names: string[] = [];
  const labels: string[] = [];
  const values: (readonly [label: string, value: string])[] = [];
  let errors = 0;
  parser.parse(expr).iterate({
    enter(node) {
      const text = expr.slice(node.from, node.to);
      if (node.type.isError) errors += 1;
      else if (node.name === 'Identifier' && node.node.parent?.name === 'VectorSelector') names.push(text);
      else if (node.name === 'LabelName') labels.push(text);
      else if (node.name === 'UnquotedLabelMatcher') {
        const [, label = '', value] = /^(\w+)="([^"]*)"$/.exec(text) ?? [];
        labels.push(/^\w+/.exec(text)?.[0] ?? '');
        if (value !== undefined) values.push([label, value]);
      }
    },
  });
  return { names, labels, values, errors };
}

describe('the dashboard and the alerts', () => {
  let server: TestServer;
  let shown: string;
  let names: ReadonlySet<string>;
  before(async () => {
    server = await startServer({ servers: 1 });
    const [alice, bob] = [await server.user('alice'), await server.user('bob')];
    await alice.client.sendText(bob.mid, 'hello');
    const path = '/r/talk/emf/reqid-00000000-0000-4000-8000-000000000001';
    await objectClient(server).post(alice, path, 'bytes', { 'x-obs-params': '' });
    shown = await server.metrics();
    const declared = [...shown.matchAll(/^# TYPE (\w+) (\w+)$/gm)];
    names = new Set(
      declared.flatMap(([, name = '', type]) =>
        type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : [name],
      ),
    );
  });
  after(() => server.close());

  test('every expression is one of PromQL', () => {
    assert.ok(expressions.length > rules.length);
    for (const { of, expr } of expressions) assert.equal(partsOf(expr).errors, 0, `${of}: ${expr}`);
    assert.ok(partsOf('sum(rate(x[5m]) by').errors > 0, 'an expression that is none is noticed');
  });

  test('every metric in them is one of the server', () => {
    for (const { of, expr } of expressions) {
      const used = partsOf(expr).names;
      assert.ok(used.length > 0, of);
      for (const name of used) assert.ok(name === 'up' || names.has(name), `${of}: ${name}`);
    }
  });

  test('every label and every value in them is there', () => {
    for (const { of, expr } of expressions) {
      const { names: used, labels, values } = partsOf(expr);
      const series = shown.split('\n').filter((line) => used.some((name) => line.startsWith(`${name}{`)));
      for (const label of labels) {
        const isKnown = [...ADDED, ...NOT_CAUSED].includes(label) || series.some((line) => line.includes(`${label}="`));
        assert.ok(isKnown, `${of}: ${label}`);
      }
      for (const [label, value] of values) {
        const isThere = label === 'job' || series.some((line) => line.includes(`${label}="${value}"`));
        assert.ok(isThere, `${of}: ${label}="${value}"`);
      }
    }
  });

  test('each alert has a severity and a sentence, and the guide tells what to do', () => {
    for (const { alert, labels, annotations } of rules) {
      assert.match(labels.severity, /^(warning|critical)$/, alert);
      assert.match(annotations.summary, /\.$/, alert);
      assert.ok(guide.includes(`| \`${alert}\` |`), alert);
    }
    const described = [...guide.matchAll(/^\| `(Sealpost\w+)` \|/gm)].map(([, name]) => name);
    assert.deepEqual(described.sort(), rules.map(({ alert }) => alert).sort());
  });

  test('the guide describes every metric of the server, and no other', () => {
    const own = [...shown.matchAll(/^# TYPE (sealpost_\w+)/gm)].map(([, name = '']) => name).sort();
    const described = [...guide.matchAll(/^\| `(sealpost_\w+)/gm)].map(([, name = '']) => name).sort();
    assert.deepEqual(described, own);
  });
});
