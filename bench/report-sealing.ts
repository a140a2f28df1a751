// Writes the table about the cost of sealing for a client.
import { markdown, verdict, whole } from './markdown.ts';
import type { Rate, SealingMeasure } from './sealing-load.ts';
import { median } from './statistics.ts';

export interface SealingResult {
  readonly inFlight: number;
  readonly rounds: readonly SealingMeasure[];
}

const CPU_TARGET_MICROS = 200;

export function sealingTables(result: SealingResult | undefined): string {
  if (!result) return '';
  const { inFlight, rounds } = result;
  const of = (figure: (measure: SealingMeasure) => number) => median(rounds.map(figure));
  const row = (title: string, pick: (measure: SealingMeasure) => Rate, target: (cpuMicros: number) => string) => {
    const cpuMicros = of((measure) => pick(measure).cpuMicros);
    return [title, whole(of((measure) => pick(measure).perSecond)), cpuMicros.toFixed(0), target(cpuMicros)];
  };
  const none = () => '–';
  const underTarget = (cpuMicros: number) => `< ${CPU_TARGET_MICROS} µs: ${verdict(cpuMicros < CPU_TARGET_MICROS)}`;
  const texts = markdown(
    ['a text of 200 characters', 'per second', 'CPU µs of the client each', 'target'],
    [
      row(`sent plain, ${inFlight} in flight`, ({ plain }) => plain, none),
      row(`sent sealed, ${inFlight} in flight`, ({ sealed }) => sealed, none),
      row('sealed', ({ seal }) => seal, underTarget),
      row('opened', ({ open }) => open, underTarget),
      row('opened by the SDK, keys found and checked', ({ openBySdk }) => openBySdk, underTarget),
    ],
  );
  const media = markdown(
    ['media', 'MB/s'],
    [
      ['sealed', whole(of((measure) => measure.sealMediaMbPerSecond))],
      ['opened', whole(of((measure) => measure.openMediaMbPerSecond))],
    ],
  );
  return `${texts}\n\n${media}`;
}
