// Wraps the adapters of a server, so that their work for a call becomes spans of that call. The spans have no keys of
// objects, no addresses of push services and no ids of accounts.
import type { Bus } from '../bus/bus.ts';
import type { Objects } from '../objects/objects.ts';
import type { Outbound } from '../outbound/outbound.ts';
import type { CommitTimer, Store, Tx } from '../store/store.ts';
import type { Span, Traces } from './traces.ts';

const LEAST_ERROR = 400;

interface Commit {
  readonly begun: number;
  readonly ended: number;
  readonly callers: number;
}

export interface TracedCommits {
  readonly timeCommit: CommitTimer;
  /** Returns the commit whose hooks run now. */
  readonly newest: () => Commit | undefined;
}

/** Wraps the timer of commits, and also notes the times of the newest commit. */
export function tracedCommits(timeCommit: CommitTimer, monotonic: () => number): TracedCommits {
  let newest: Commit | undefined;
  return {
    timeCommit: () => {
      const committed = timeCommit();
      const begun = monotonic();
      return (callers) => {
        committed(callers);
        newest = { begun, ended: monotonic(), callers };
      };
    },
    newest: () => newest,
  };
}

/**
 * Makes each commit a span of every call that shares it. A store runs the hooks of a commit right after it has told the
 * timer of its end. So these hooks belong to the newest commit.
 */
export function tracedStore(store: Store, traces: Traces, newest: TracedCommits['newest']): Store {
  const system = store.kind === 'sqlite' ? 'sqlite' : 'postgresql';
  const noteCommit = (spans: readonly Span[]): void => {
    const commit = newest();
    if (!commit) return;
    const attributes = {
      'db.system.name': system,
      'db.operation.name': 'COMMIT',
      'sealpost.commit.calls': commit.callers,
    };
    for (const span of spans) span.child('COMMIT', 'client', commit.begun).end({ at: commit.ended, attributes });
  };
  return {
    ...store,
    transact(work) {
      const spans = traces.current();
      if (spans.length === 0) return store.transact(work);
      return store.transact((tx) => {
        tx.onCommit(() => noteCommit(spans));
        return traces.run(spans, () => work(tracedTx(tx, traces, spans)));
      });
    },
    grouped<I, O>(
      work: (tx: Tx, items: readonly I[]) => Promise<readonly (O | Error)[]>,
      keysOf: (item: I) => readonly string[],
    ) {
      const send = store.grouped<{ readonly item: I; readonly spans: readonly Span[] }, O>(
        async (tx, held) => {
          const items = held.map(({ item }) => item);
          const all = held.flatMap(({ spans }) => spans);
          if (all.length === 0) return work(tx, items);
          const outcomes = await traces.run(all, () => work(tracedTx(tx, traces, all), items));
          const stored = held.filter((_, at) => !(outcomes[at] instanceof Error));
          tx.onCommit(() => noteCommit(stored.flatMap(({ spans }) => spans)));
          return outcomes;
        },
        ({ item }) => keysOf(item),
      );
      return (item: I) => send({ item, spans: traces.current() });
    },
  };
}

/** Returns a transaction whose hooks belong to the calls, and not to the call that began the commit. */
const tracedTx = (tx: Tx, traces: Traces, spans: readonly Span[]): Tx => ({
  ...tx,
  onCommit: (hook) => tx.onCommit(() => traces.run(spans, hook)),
});

/** Makes a span for each wake-up that this server sends to other servers. */
export const tracedBus = (bus: Bus, traces: Traces): Bus => ({
  ...bus,
  wake(kind, accountIds) {
    const spans = traces.current().map((span) => span.child('publish', 'producer'));
    bus.wake(kind, accountIds);
    const attributes = {
      'messaging.system': bus.kind,
      'messaging.operation.name': 'publish',
      'messaging.operation.type': 'send',
      'messaging.batch.message_count': accountIds.length,
      'sealpost.wake.kind': kind,
    };
    for (const span of spans) span.end({ attributes });
  },
});

/** Makes a span for each call to another server, such as the delivery of a push. */
export const tracedOutbound = (outbound: Outbound, traces: Traces): Outbound => ({
  ...outbound,
  post: (url, call) =>
    traces.spanOf(
      'POST',
      'client',
      { 'http.request.method': 'POST' },
      () => outbound.post(url, call),
      ({ status }) => ({
        attributes: { 'http.response.status_code': status },
        ...(status >= LEAST_ERROR && { error: String(status), isFault: true }),
      }),
    ),
});

/**
 * Makes a span for each piece of work in the object store. The span of a read ends when its first bytes can be taken.
 */
export const tracedObjects = (objects: Objects, traces: Traces): Objects => {
  const { kind, link } = objects;
  const span = <T>(operation: string, work: () => Promise<T>): Promise<T> => {
    const attributes = { 'sealpost.objects.store': kind, 'sealpost.objects.operation': operation };
    return traces.spanOf(`objects ${operation}`, kind === 's3' ? 'client' : 'internal', attributes, work);
  };
  return {
    ...objects,
    append: (...args) => span('append', () => objects.append(...args)),
    publish: (...args) => span('publish', () => objects.publish(...args)),
    read: (...args) => span('read', () => objects.read(...args)),
    remove: (...args) => span('remove', () => objects.remove(...args)),
    quarantine: (...args) => span('quarantine', () => objects.quarantine(...args)),
    bringBack: (...args) => span('bring-back', () => objects.bringBack(...args)),
    page: (...args) => span('list', () => objects.page(...args)),
    ...(link && { link: (...args) => span('link', () => link(...args)) }),
  };
};
