// Writes the tables about transfers: their rates compared with the floors, and the memory during many transfers at
// once.
import { markdown, verdict, whole } from './markdown.ts';
import type { TransferMeasure, TransferOrder } from './media-load.ts';
import { median } from './statistics.ts';

export type Direction = TransferOrder['direction'];

/** The floor with which transfers are compared, by its name in the table. */
export type Floor = 'bare pipe' | 'pipe with SHA-256';

export interface TransferRound {
  readonly direction: Direction;
  readonly against: Floor;
  readonly floor: TransferMeasure;
  readonly ours: TransferMeasure;
}

export interface TransferResult {
  readonly inFlight: number;
  readonly megabytes: number;
  readonly rounds: readonly TransferRound[];
  /** The resident memory of the server before any transfer. */
  readonly residentMib: number;
  /** The additional memory that the server needs for the first login after its start. */
  readonly loginMib: number;
  readonly crowd: { readonly inFlight: number; readonly megabytes: number } & Readonly<
    Record<Direction, TransferMeasure>
  >;
}

const RATE_TARGET = 0.8;
const RESIDENT_TARGET = 150;

export function transferTables(result: TransferResult | undefined): string {
  if (!result) return '';
  return [rateTable(result), memoryTable(result)].join('\n\n');
}

function rateTable({ inFlight, megabytes, rounds }: TransferResult): string {
  const row = (direction: Direction, against: Floor) => {
    const own = rounds.filter((round) => round.direction === direction && round.against === against);
    const of = (figure: (round: TransferRound) => number): number => median(own.map(figure));
    const ratio = of(({ ours, floor }) => ours.mbPerSecond / floor.mbPerSecond);
    return [
      `${direction}, ${inFlight} at a time, ${megabytes} MB each`,
      against,
      whole(of(({ floor }) => floor.mbPerSecond)),
      whole(of(({ ours }) => ours.mbPerSecond)),
      `${ratio.toFixed(2)}${against === 'bare pipe' ? `; ≥ ${RATE_TARGET}: ${verdict(ratio >= RATE_TARGET)}` : ''}`,
      of(({ floor }) => floor.cpuMs).toFixed(0),
      of(({ ours }) => ours.cpuMs).toFixed(0),
    ];
  };
  return markdown(
    ['transfers', 'against', 'its MB/s', 'MB/s', 'ratio', 'its CPU ms per 100 MB', 'CPU ms per 100 MB'],
    [row('upload', 'bare pipe'), row('upload', 'pipe with SHA-256'), row('download', 'bare pipe')],
  );
}

function memoryTable({ residentMib, loginMib, crowd }: TransferResult): string {
  const row = (direction: Direction) => {
    const { mbPerSecond, residentMib: most } = crowd[direction];
    return [
      `${crowd.inFlight} ${direction}s at a time, ${crowd.megabytes} MB each`,
      whole(mbPerSecond),
      `${whole(most)}; < ${RESIDENT_TARGET}: ${verdict(most < RESIDENT_TARGET)}`,
    ];
  };
  return markdown(
    ['transfers', 'MB/s', 'most resident MiB of the process'],
    [
      ['none yet', '–', whole(residentMib)],
      row('upload'),
      row('download'),
      ['none any more; the first login since the start', '–', `${whole(loginMib)} more`],
    ],
  );
}
