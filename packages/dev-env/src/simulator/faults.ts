// The faults of a simulation: how often each occurs with a seed, and how often each did.
import { type Random, splitRandom } from '../workload/random.ts';
import { Moves } from './moves.ts';
import { present } from './present.ts';

/** Each kind of fault, with the number of chances of which about one becomes a fault while the kind is on. */
const ODDS = {
  'request lost': 25,
  'request delivered twice': 25,
  'reply lost': 15,
  'connection cut': 8,
  'slow network': 20,
  'upload cut': 12,
  'wake-up lost': 2,
  'gateway crash': 300,
  'gateway crash inside a transaction': 1200,
  'power loss': 700,
  'power loss inside a commit': 250,
  'client crash': 30,
} as const;
export type Fault = keyof typeof ODDS;
export const faultKinds = Object.keys(ODDS) as readonly Fault[];

/** States that a run over many seeds must reach, because otherwise its checks prove little. */
export const sights = [
  'retry answered from the store',
  'torn log reopened',
  'unanswered commit was durable',
  'unanswered commit was lost',
  'news found without its wake-up',
  'stream resumed',
  'outbox sent after a crash',
  'text taken back after its arrival',
  'command refused after a race',
  'two gateways in one commit',
  'lost renewal repeated',
  'ended session refused',
  'upload resumed',
  'group key refused after a race',
] as const;
export type Sight = (typeof sights)[number];

export type Counts<K extends string> = Map<K, number>;

export class Faults {
  readonly fired: Counts<Fault> = new Map();
  readonly seen: Counts<Sight> = new Map();
  readonly on: ReadonlySet<Fault>;
  /** A generator for each kind, so that a run without some moves still draws the others. */
  readonly #randoms: ReadonlyMap<Fault, Random>;
  readonly #moves: Moves;
  #healed = false;

  /** Each seed has some kinds of faults on and others off, so that kinds do not always hide each other. */
  constructor(random: Random, moves = new Moves(undefined)) {
    this.#randoms = new Map(faultKinds.map((kind) => [kind, splitRandom(random)]));
    this.#moves = moves;
    this.on = new Set(faultKinds.filter(() => !random.oneIn(3)));
  }

  /** Ends all faults. */
  heal(): void {
    this.#healed = true;
  }

  /** Returns true if a fault is to happen now. The caller must report with `happened` once it has an effect. */
  draw(kind: Fault): boolean {
    const drawn = present(this.#randoms.get(kind), kind).oneIn(ODDS[kind]);
    return drawn && this.on.has(kind) && !this.#healed && this.#moves.next(kind) !== undefined;
  }

  happened(kind: Fault): void {
    this.fired.set(kind, (this.fired.get(kind) ?? 0) + 1);
  }

  saw(sight: Sight): void {
    this.seen.set(sight, (this.seen.get(sight) ?? 0) + 1);
  }
}
