// The program of a process that runs seeds of the simulator for another process: a message names a seed, and the answer
// is its report.
import { createSimulator } from './simulator.ts';

const simulator = await createSimulator();
process.on('message', (seed: number) => void simulator.run(seed).then((report) => process.send?.(report)));
process.on('disconnect', () => simulator.close());
process.send?.('ready');
