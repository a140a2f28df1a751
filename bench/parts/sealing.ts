// Letter Sealing in the SDK.
import type { SealingResult } from '../report-sealing.ts';
import type { SealingMeasure } from '../sealing-load.ts';
import { type Bench, say } from './bench.ts';

const IN_FLIGHT = 16;
const MEDIA_BYTES = { quick: 16e6, full: 128e6 };

export async function measureSealing(bench: Bench): Promise<SealingResult> {
  const { load, prepared, rounds, times, quick } = bench;
  const { port } = await bench.start(bench.copyOf(prepared.folder));
  const mediaBytes = MEDIA_BYTES[quick ? 'quick' : 'full'];
  const results: SealingMeasure[] = [];
  for (let round = 1; round <= rounds; round++) {
    const measured = await load.seal({ port, inFlight: IN_FLIGHT, ms: times.measureMs, mediaBytes });
    results.push(measured);
    const { plain, sealed, seal } = measured;
    say(
      `round ${round}: ${plain.perSecond.toFixed(0)}/s plain, ${sealed.perSecond.toFixed(0)}/s sealed, ${seal.cpuMicros.toFixed(0)} µs CPU to seal a text`,
    );
  }
  return { inFlight: IN_FLIGHT, rounds: results };
}
