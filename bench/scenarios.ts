// The scenarios, their targets, and the functions that combine the results of several rounds.
import type { SendMeasure } from './closed-loop.ts';
import { median } from './statistics.ts';

export type ScenarioName =
  | 'floor'
  | 'stored'
  | 'stored-crowd'
  | 'postgres-stored'
  | 'postgres-stored-crowd'
  | 'send'
  | 'delivered'
  | 'crowd'
  | 'postgres-delivered'
  | 'postgres-crowd';

export interface Scenario {
  readonly name: ScenarioName;
  /** The part of the bench. `a` and `b` can be chosen with `--only`; `c` is the floor, which runs with both. */
  readonly part: 'a' | 'b' | 'c';
  readonly title: string;
  readonly inFlight: number;
  readonly delivered: boolean;
  /** The `bare` ones are the floor that stores and delivers. */
  readonly store: 'none' | 'bare-sqlite' | 'bare-postgres' | 'sqlite' | 'postgres';
  /** The target: the least share of the floor's rate that is good. The floor always has 64 sends in flight. */
  readonly target?: number;
  readonly targetP99?: number;
  /** The floor that does the same work, apart from the checks. */
  readonly leastWork?: ScenarioName;
}

const bareOn = (database: string): string => `floor that stores on ${database}, and delivers`;

export const scenarios: readonly Scenario[] = [
  { name: 'floor', part: 'c', title: 'floor: bare node:http, HMAC', inFlight: 64, delivered: false, store: 'none' },
  { name: 'stored', part: 'b', title: bareOn('SQLite'), inFlight: 64, delivered: true, store: 'bare-sqlite' },
  {
    name: 'stored-crowd',
    part: 'b',
    title: bareOn('SQLite'),
    inFlight: 400,
    delivered: true,
    store: 'bare-sqlite',
  },
  {
    name: 'postgres-stored',
    part: 'b',
    title: bareOn('PostgreSQL'),
    inFlight: 64,
    delivered: true,
    store: 'bare-postgres',
  },
  {
    name: 'postgres-stored-crowd',
    part: 'b',
    title: bareOn('PostgreSQL'),
    inFlight: 400,
    delivered: true,
    store: 'bare-postgres',
  },
  {
    name: 'send',
    part: 'a',
    title: 'send, SQLite',
    inFlight: 64,
    delivered: false,
    store: 'sqlite',
    target: 0.42,
    targetP99: 25,
  },
  {
    name: 'delivered',
    part: 'b',
    title: 'send and deliver, SQLite',
    inFlight: 64,
    delivered: true,
    store: 'sqlite',
    target: 0.36,
    leastWork: 'stored',
  },
  {
    name: 'crowd',
    part: 'b',
    title: 'send and deliver, SQLite',
    inFlight: 400,
    delivered: true,
    store: 'sqlite',
    target: 0.5,
    leastWork: 'stored-crowd',
  },
  {
    name: 'postgres-delivered',
    part: 'b',
    title: 'send and deliver, PostgreSQL',
    inFlight: 64,
    delivered: true,
    store: 'postgres',
    target: 0.5,
    leastWork: 'postgres-stored',
  },
  {
    name: 'postgres-crowd',
    part: 'b',
    title: 'send and deliver, PostgreSQL',
    inFlight: 400,
    delivered: true,
    store: 'postgres',
    target: 0.5,
    leastWork: 'postgres-stored-crowd',
  },
];

export interface Result {
  readonly perSecond: number;
  readonly least: number;
  readonly most: number;
  readonly p50: number;
  readonly p99: number;
  readonly cpuMicros: number;
}

export function resultOf(rounds: readonly SendMeasure[]): Result {
  const rates = rounds.map((round) => round.perSecond);
  return {
    perSecond: median(rates),
    least: Math.min(...rates),
    most: Math.max(...rates),
    p50: median(rounds.map((round) => round.p50)),
    p99: median(rounds.map((round) => round.p99)),
    cpuMicros: median(rounds.map((round) => round.cpuMicros)),
  };
}
