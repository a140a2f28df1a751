// `node bench/failover.ts [--kills 10] [--freezes 0]`: starts a server on a highly available database, and kills or
// freezes the primary again and again under load. Prints how long each failover took and what was lost. It fails if
// anything was lost or doubled, or if a failover took longer than promised.
import { readOptions } from '@sealpost/dev-env/program-options';
import { type FailoverReport, type Loss, runFailovers } from '../packages/server/test/crash/failover-run.ts';
import { findPatroni } from '../scripts/test-patroni.ts';
import { markdown, whole } from './markdown.ts';
import { median } from './statistics.ts';

const PROMISED_MS = 30_000;

const { values } = readOptions(import.meta.filename, {
  options: { kills: { type: 'string', default: '10' }, freezes: { type: 'string', default: '0' } },
});
const losses: Loss[] = [
  ...Array.from({ length: Number(values.kills) }, () => 'kill' as const),
  ...Array.from({ length: Number(values.freezes) }, () => 'freeze' as const),
];
const { url: binDir } = await findPatroni(process.env.SEALPOST_TEST_PATRONI);
let number = 0;
const report = await runFailovers(binDir, losses, ({ loss, backMs }) => {
  number += 1;
  console.log(`${number}. ${loss}: back after ${seconds(backMs)} s`);
});
print(report);
const late = report.failovers.filter(({ backMs }) => backMs > PROMISED_MS);
if (report.violations.length > 0 || late.length > 0) {
  for (const violation of report.violations) console.error(violation);
  console.error(`${report.violations.length} broken rules; ${late.length} failovers took over ${PROMISED_MS / 1000} s`);
  process.exitCode = 1;
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1);
}

function print({ failovers, acknowledged, repeated, unknown, unknownStored, lost, doubled }: FailoverReport): void {
  const head = ['', 'times', 'back after, s: min', 'median', 'max'];
  const rows = Object.entries(Object.groupBy(failovers, ({ loss }) => loss)).map(([loss, own]) => {
    const times = own.map(({ backMs }) => backMs);
    return [loss, String(own.length), ...[Math.min(...times), median(times), Math.max(...times)].map(seconds)];
  });
  console.log(`\n${markdown(head, rows)}\n`);
  const counts = {
    acknowledged,
    'of them repeated': repeated,
    unknown,
    'of them stored': unknownStored,
    lost,
    doubled,
  };
  console.log(markdown(Object.keys(counts), [Object.values(counts).map(whole)]));
}
