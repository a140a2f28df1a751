import { rmSync } from 'node:fs';
import { startDatabase } from './database/server.ts';
import { dataFolder, makeUsers, startGateway } from './gateway.ts';
import { startLoad } from './load-process.ts';
import { SERVER_CORE } from './pinned-process.ts';
import { createUndo } from './undo.ts';
const variants = process.argv[2]!.split(',');
const inFlights = process.argv[3]!.split(',').map(Number);
const rounds = Number(process.argv[4] ?? 3);
const load = await startLoad();
const undo = createUndo();
const later = undo.later;
try {
  const all = [];
  for (const v of variants) {
    process.env.TMP_FURTHER = v;
    const database = later(await startDatabase([], 1 - SERVER_CORE), (s) => s.stop());
    const folder = later(dataFolder(), (path) => rmSync(path, { recursive: true, force: true }));
    const gateway = later(await startGateway(folder, database.url, [], { core: SERVER_CORE }), (s) => s.stop());
    const users = await makeUsers(gateway, 100);
    all.push([v, { port: gateway.port, pid: gateway.pid, databasePid: database.pid, users }] as const);
  }
  for (let round = 0; round <= rounds; round++)
    for (const [v, target] of all)
      for (const inFlight of inFlights) {
        const m = await load.send({ ...target, inFlight, warmUpMs: 500, measureMs: 3000, delivered: true, textBytes: 200 });
        console.log(`round ${round} ${v} at ${inFlight}: ${m.perSecond.toFixed(0)}/s p50 ${m.p50.toFixed(1)} p99 ${m.p99.toFixed(1)} cpu ${m.cpuMicros.toFixed(0)} db ${m.databaseCpuMicros.toFixed(0)}`);
      }
} finally { await undo.all(); await load.stop(); }
