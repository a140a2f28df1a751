// Reads marked records again from the server, page by page. A mark is removed only if it was not renewed during the
// request. If a message still does not open, the function that stores it marks it again.
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

/** Reads marked records until the replica has no marks. */
export class Refresh {
  readonly #deps: RefreshDeps;
  #running: Promise<void> | undefined;

  constructor(deps: RefreshDeps) {
    this.#deps = deps;
  }

  /** Begins to read marked records. Does nothing if that has already begun. */
  wake(): void {
    this.#running ??= Promise.resolve().then(() => this.#run());
  }

  /** Resolves when nothing is marked, or the signal was aborted. */
  async settled(): Promise<void> {
    while (this.#next() && !this.#deps.signal.aborted) {
      this.wake();
      await this.#running;
    }
  }

  /** @param failed the kinds whose requests failed lately; other kinds come before them */
  #next(failed?: ReadonlySet<MarkKind>): { kind: Exclude<MarkKind, 'all'>; ids: string[] } | undefined {
    const found = [...this.#deps.state.all(marks).keys()].map(marked);
    const first = found.find(({ kind }) => !failed?.has(kind)) ?? found[0];
    if (!first || found.some(({ kind }) => kind === 'all')) return undefined;
    const { kind } = first;
    return kind === 'all' ? undefined : { kind, ids: found.filter((one) => one.kind === kind).map(({ id }) => id) };
  }

  async #run(): Promise<void> {
    const { signal, ports } = this.#deps;
    try {
      // The kinds that failed after the last success. So no kind waits for another that keeps failing.
      const failed = new Set<MarkKind>();
      for (let failures = 0; !signal.aborted; ) {
        const next = this.#next(failed);
        if (!next) return;
        const page = async () => next.ids.slice(0, await this.#deps.server.pageOf(next.kind));
        // After a failure, the marks stay, so the records are read later. The operation stream tells the user if there
        // is no connection.
        const done = await page()
          .then((ids) => this.#read(next.kind, ids))
          .catch(() => false);
        if (failed.has(next.kind) || done) failed.clear();
        if (done) failures = 0;
        else {
          failed.add(next.kind);
          await pause(ports.timers, backoffDelay(BACKOFF, failures++, ports.random), signal);
        }
      }
    } finally {
      // Nothing can run between the moment when `#next` finds no mark and this line. So a mark that comes later starts
      // a new run.
      this.#running = undefined;
    }
  }

  /** Reads and stores records. Returns false if one of them was marked again while it was stored. */
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
