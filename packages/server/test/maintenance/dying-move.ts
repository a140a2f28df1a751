// Moves a server into another database, and kills itself at a step. Started by the tests of moves.
import { move } from '../../src/maintenance/move/move.ts';

const [dataDir = '', from = '', to = '', last = ''] = process.argv.slice(2);
let step = 0;
await move({
  sources: { flags: { 'data-dir': dataDir, 'database-url': from }, env: {} },
  to,
  onProgress: () => {
    step += 1;
    if (step === Number(last)) process.kill(process.pid, 'SIGKILL');
  },
});
