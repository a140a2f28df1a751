// Writes the table about a client with local state.
import type { ClientMeasure } from './client-load.ts';
import { markdown, verdict } from './markdown.ts';
import { mediansOf } from './report-chats.ts';

export interface ClientResult {
  readonly chats: number;
  readonly perSecond: number;
  /** One list of measures for each round. */
  readonly rounds: readonly (readonly ClientMeasure[])[];
}

/** The largest share of one core that a client may need while messages arrive. */
const SHARE_TARGET = 0.25;

export function clientTable(result: ClientResult | undefined): string {
  if (!result) return '';
  const { chats, perSecond, rounds } = result;
  const rows = (rounds[0] ?? []).map((_, index) => {
    const { store, firstMs, againMs, cpuMicros } = mediansOf(rounds.map((round) => round[index] as ClientMeasure));
    const share = (cpuMicros * perSecond) / 1e6;
    return [
      store,
      firstMs.toFixed(0),
      againMs.toFixed(0),
      cpuMicros.toFixed(0),
      `${(100 * share).toFixed(0)} %`,
      `< ${100 * SHARE_TARGET} %: ${verdict(share < SHARE_TARGET)}`,
    ];
  });
  return markdown(
    [
      `client with ${chats} chats, its state in`,
      'first start ms',
      'next start ms',
      `CPU µs per message, at ${perSecond} a second`,
      'share of a core',
      'target',
    ],
    rows,
  );
}
