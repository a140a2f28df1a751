// Tests the model of `npm run model`: its inputs are the figures of the benches, docs/scaling.md shows what it says, and
// it grows as it should.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { FIGURES, figureAt, readInputs, withFigures } from '../../bench/model/inputs.ts';
import { limitsOf, needsOf, project, valuesOf } from '../../bench/model/project.ts';
import { MODEL_SECTION, modelSection, plotsOf } from '../../bench/model/report.ts';
import { sectionOf } from '../../bench/page-section.ts';
import { svgOf } from '../../bench/web/plot.ts';

const docs = join(import.meta.dirname, '../../docs');
const page = readFileSync(FIGURES, 'utf8');
const inputs = readInputs();
const values = valuesOf(inputs);

test('the measured inputs are the figures of docs/performance.md', () => {
  const copied = withFigures(inputs, page, 'another day').measured;
  assert.deepEqual(inputs.measured, copied, 'run `npm run model -- --take`, then `npm run model -- --write`');
});

test('a figure that the page does not have, or has twice, is refused', () => {
  const table = '| what | CPU |\n| --- | --- |\n| a | 1,234.5 (3) |\n| b | 7 |\n| b | 8 |\n';
  assert.equal(figureAt(table, { row: ['a'], column: 'CPU' }), 1234.5);
  assert.throws(() => figureAt(table, { row: ['c'], column: 'CPU' }), /no such row.*inputs\.json/);
  assert.throws(() => figureAt(table, { row: ['b'], column: 'CPU' }), /7 and 8/);
});

test('docs/scaling.md and its plots are those of the inputs', () => {
  const section = sectionOf(readFileSync(join(docs, 'scaling.md'), 'utf8'), MODEL_SECTION);
  assert.equal(section?.trim(), modelSection(inputs).trim(), 'run `npm run model -- --write`');
  for (const plot of plotsOf(inputs))
    assert.equal(readFileSync(join(docs, 'plots', `${plot.file}.svg`), 'utf8'), svgOf(plot), plot.file);
});

test('a limit is reached by exactly the accounts that it names', () => {
  const limits = limitsOf(values);
  const at = (what: string): number => limits.find((limit) => limit.what === what)?.accounts ?? Number.NaN;
  const close = (value: number, most: number) => assert.ok(Math.abs(value / most - 1) < 1e-9, `${value}, not ${most}`);
  close(needsOf(values, at('the core of one process')).serverCores, 1);
  close(needsOf(values, at('the WAL of one primary')).walMegabytes, values.walMegabytes);
  close(needsOf(values, at('the time of a scan of all logs')).scanSeconds, values.scanSeconds);
  assert.deepEqual(
    limits.map(({ accounts }) => accounts),
    limits.map(({ accounts }) => accounts).sort((a, b) => a - b),
  );
});

test('a machine that is twice as fast needs half of the cores; twice the messages need twice the data', () => {
  const [usual, faster, more] = [
    needsOf(values, 1e6),
    needsOf({ ...values, floorMicros: values.floorMicros / 2 }, 1e6),
    needsOf({ ...values, messages: values.messages * 2 }, 1e6),
  ];
  assert.equal(faster.databaseCores, usual.databaseCores / 2);
  assert.equal(more.messageGigabytes, usual.messageGigabytes * 2);
  assert.equal(project(values, 1).shards, 1);
  assert.ok(project(values, 1e9).shards > project(values, 1e8).shards);
});
