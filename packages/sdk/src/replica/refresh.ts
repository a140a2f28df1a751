// Reads again what is marked, page by page. A mark is removed only if nothing marked the same thing anew meanwhile. A
// message that still does not open is marked anew by what stores it.
import { type Backoff, backoffDelay, type ClientPorts, pause } from '../gateway/ports.ts';
import type { LocalState } from '../store/local-state.ts';
import { type MarkKind, marked } from './marks.ts';
import type { ServerState } from './server-state.ts';
import { marks } from './tables.ts';

const BACKOFF: Backoff = { initialMs: 500, maxMs: 30_000, multiplier: 2, jitter: 0.5 };

export interface RefreshDeps {
  readonly state: LocalState;
  readonly server: ServerState;
  readonly ports: Pick<ClientPorts, 'timers' | 'random'>;
  readonly signal: AbortSignal;
}

/** Keeps the replica free of marks. */
export class Refresh {
  readonly #deps: RefreshDeps;
  #running: Promise<void> | undefined;

  constructor(deps: RefreshDeps) {
    this.#deps = deps;
  }

  /** Begins to read what is marked, unless that is already going on. */
  wake(): void {
    this.#running ??= Promise.resolve().then(() => this.#run());
  }

  /** Resolves when nothing is marked, or reading ended with the signal. */
  async settled(): Promise<void> {
    while (this.#next() && !this.#deps.signal.aborted) {
      this.wake();
      await this.#running;
    }
  }

  /** @param failed a kind that comes last */
  #next(failed?: MarkKind): { kind: Exclude<MarkKind, 'all'>; ids: string[] } | undefined {
    const found = [...this.#deps.state.all(marks).keys()].map(marked);
    const first = found.find(({ kind }) => kind !== failed) ?? found[0];
    if (!first || found.some(({ kind }) => kind === 'all')) return undefined;
    const { kind } = first;
    return kind === 'all' ? undefined : { kind, ids: found.filter((one) => one.kind === kind).map(({ id }) => id) };
  }

  async #run(): Promise<void> {
    const { signal, ports } = this.#deps;
    try {
      let failed: MarkKind | undefined;
      for (let failures = 0; !signal.aborted; ) {
        const next = this.#next(failed);
        if (!next) return;
        const page = async () => next.ids.slice(0, await this.#deps.server.pageOf(next.kind));
        // The marks stay. Offline, or refused for now: the state is only older, and the stream tells the user why.
        const done = await page()
          .then((ids) => this.#read(next.kind, ids))
          .catch(() => false);
        failed = done ? undefined : next.kind;
        if (done) failures = 0;
        else await pause(ports.timers, backoffDelay(BACKOFF, failures++, ports.random), signal);
      }
    } finally {
      // In the same turn as the look that found nothing: a mark that comes later wakes a new run.
      this.#running = undefined;
    }
  }

  /** Returns whether everything could be read as it should be. */
  async #read(kind: Exclude<MarkKind, 'all'>, ids: readonly string[]): Promise<boolean> {
    const { state, server } = this.#deps;
    const asked = new Map(ids.map((id) => [id, state.get(marks, `${kind}/${id}`)?.since]));
    const store = await server.read(kind, ids);
    return state.change(async (tx) => {
      let done = true;
      for (const id of ids) {
        const name = `${kind}/${id}`;
        const now = await tx.get(marks, name);
        if (!now || now.since !== asked.get(id)) continue;
        tx.delete(marks, name);
        await store(tx, id);
        if ((await tx.get(marks, name)) !== undefined) done = false;
      }
      return done;
    });
  }
}
