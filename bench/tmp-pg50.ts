import { startContender } from './peers/contenders.ts';
import { startLoad } from './load-process.ts';
import { createUndo } from './undo.ts';
const variants = process.argv[2]!.split(',');
const inFlights = process.argv[3]!.split(',').map(Number);
const rounds = Number(process.argv[4] ?? 3);
const load = await startLoad();
const undo = createUndo();
try {
  const all = [];
  for (const v of variants) {
    process.env.TMP_FURTHER = v;
    all.push([v, await startContender('postgres', load, undo.later)] as const);
  }
  for (let round = 0; round <= rounds; round++)
    for (const [v, c] of all)
      for (const inFlight of inFlights) {
        const before = (await c.syncs())!;
        const m = await c.run({ inFlight, warmUpMs: 500, measureMs: 3000 });
        const syncs = ((await c.syncs())! - before) / m.total;
        console.log(`round ${round} ${v} at ${inFlight}: ${m.perSecond.toFixed(0)}/s p50 ${m.p50.toFixed(1)} p99 ${m.p99.toFixed(1)} cpu ${m.cpuMicros.toFixed(0)} db ${m.databaseCpuMicros.toFixed(0)} syncs ${syncs.toFixed(4)}`);
      }
} finally { await undo.all(); await load.stop(); }
