// Forgetting objects: uploads that were given up, bytes that belong to nothing, and media that are older than the
// operator keeps them.
import { limits } from '@sealpost/contract';
import type { Clock } from '../kernel/ports.ts';
import { keySpaces, type ObjectState, type Objects } from '../objects/objects.ts';
import type { Store } from '../store/store.ts';
import * as q from './queries.ts';
import { removeRows } from './remove.ts';

export interface SweepDeps {
  readonly store: Store;
  readonly objects: Objects;
  readonly clock: Clock;
  /** Days that media are kept; 0 for ever. */
  readonly mediaDays: number;
  readonly forgetBytes: (key: string) => void;
}

const DAY_MS = 86_400_000;
const KEYS = 100;
const ROWS = 500;
const FIRST = keySpaces.media;
/** A row may come shortly after its bytes: bytes younger than this are left alone. */
const YOUNG_MS = limits.uploadWindowMs.value;

export function createSweep({ store, objects, clock, mediaDays, forgetBytes }: SweepDeps) {
  const after: Record<ObjectState, string> = { unpublished: FIRST, published: FIRST };

  /** Looks at the next bytes of a state, and removes those that no row names. */
  async function sweepBytes(state: ObjectState): Promise<void> {
    const page = await objects.page(state, after[state], KEYS);
    const own = page.filter(({ key }) => key.startsWith(FIRST));
    after[state] = own.length === KEYS ? (own.at(-1)?.key ?? FIRST) : FIRST;
    for (const { key, changedTime } of own) {
      if (changedTime > clock.now() - YOUNG_MS) continue;
      if (!(await store.read((reader) => reader.one(q.keyInUse, key)))) await objects.remove(key);
    }
  }

  return {
    async bytes(): Promise<void> {
      await sweepBytes('unpublished');
      await sweepBytes('published');
    },

    /** Removes what one account need not keep any longer. */
    async account(accountId: number): Promise<void> {
      const now = clock.now();
      const old = mediaDays === 0 ? 0 : now - mediaDays * DAY_MS;
      const rows = await store.read((reader) => reader.all(q.expired, accountId, now - YOUNG_MS, old, ROWS));
      if (rows.length === 0) return;
      await store.transact(async (tx) => {
        const keys = await removeRows(
          tx,
          accountId,
          rows.map(({ oid }) => oid),
        );
        tx.onCommit(() => {
          for (const key of keys) forgetBytes(key);
        });
      });
    },
  };
}
