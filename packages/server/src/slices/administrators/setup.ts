// Setup links, with which somebody becomes an administrator. A link works once, for 15 minutes. The secret is in the
// fragment of the link, so that it reaches no log of a server or proxy.
import type { Clock, Random } from '@sealpost/contract/ports';
import { Problem } from '../../platform/json-api/problem.ts';
import { tokenHash } from '../../platform/kernel/digest.ts';
import type { Ids } from '../../platform/kernel/ids.ts';
import { randomBase64url } from '../../platform/kernel/random-text.ts';
import type { Store, Tx } from '../../platform/store/store.ts';
import * as q from './queries.ts';
import { SETUP_MS } from './sessions.ts';

const TOKEN_BYTES = 32;

export interface SetupDeps {
  readonly store: Store;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly random: Random;
  /** Returns the address that clients use. */
  readonly url: () => string;
}

export interface SetupLink {
  readonly link: string;
  readonly expires: number;
}

export interface Setup {
  /** Makes the setup link that a start of the server prints. Returns undefined if the server has an administrator. */
  linkOfStart(): Promise<SetupLink | undefined>;
  /** Makes a link for a further administrator, who must use the given name if there is one. */
  makeLink(tx: Tx, name: string | undefined): Promise<SetupLink>;
  /** Throws unless the secret is that of a link that still works. */
  check(secret: string): Promise<void>;
  /** Uses up a link and inserts the administrator, who is not ready yet. */
  use(tx: Tx, secret: string, name: string, passwordHash: string): Promise<Pick<q.AdministratorRow, 'id' | 'name'>>;
}

export function createSetup({ store, ids, clock, random, url }: SetupDeps): Setup {
  async function insert(tx: Tx, isFirst: boolean, name: string | undefined): Promise<SetupLink> {
    const [secret, now] = [randomBase64url(random, TOKEN_BYTES), clock.now()];
    await tx.run(q.deleteExpiredSetups, now);
    await tx.run(q.insertSetup, tokenHash(secret), isFirst ? 1 : 0, name ?? null, now + SETUP_MS);
    return { link: `${url()}/admin#setup=${secret}`, expires: now + SETUP_MS };
  }

  return {
    linkOfStart: () =>
      store.transact(async (tx) => ((await tx.one(q.countReady))?.ready ? undefined : insert(tx, true, undefined))),
    async makeLink(tx, name) {
      if (name !== undefined && (await tx.one(q.administratorByName, name))?.ready) throw taken(name);
      return insert(tx, false, name);
    },
    async check(secret) {
      if (!(await store.read((reader) => reader.one(q.findSetup, tokenHash(secret), clock.now())))) throw noLink();
    },
    async use(tx, secret, name, passwordHash) {
      const found = await tx.one(q.takeSetup, tokenHash(secret), clock.now());
      if (!found) throw noLink();
      if (found.name !== null && found.name !== name) throw otherName(found.name);
      const { ready = 0 } = (await tx.one(q.lockReady)) ?? {};
      if (found.is_first && ready > 0) throw firstExists();
      const existing = await tx.one(q.administratorByName, name);
      if (existing?.ready) throw taken(name);
      // Somebody used a link with this name and did not finish the setup. Anybody with a link may still take the name.
      if (existing) await removeAdministrator(tx, existing.id);
      const id = ids.next();
      await tx.run(q.insertAdministrator, id, name, passwordHash, 0, found.is_first, clock.now());
      return { id, name };
    },
  };
}

/**
 * Completes the setup of an administrator, who can log in from then on. Throws if somebody else became the first
 * administrator in the meantime.
 */
export async function finishSetup(tx: Tx, administratorId: number): Promise<void> {
  const { ready = 0 } = (await tx.one(q.lockReady)) ?? {};
  const administrator = await tx.one(q.administratorById, administratorId);
  if (!administrator) throw new Problem(409, 'the setup was given up, because its name was taken by another one');
  if (administrator.is_first && ready > 0) throw firstExists();
  await tx.run(q.makeReady, administratorId);
  await tx.run(q.addReady, 1);
  await tx.run(q.deleteFirstSetups);
}

/** Removes everything that belongs to an administrator. The caller updates the stored number of administrators. */
export async function removeAdministrator(tx: Tx, administratorId: number): Promise<void> {
  await tx.run(q.deleteSessionsOf, administratorId, 0);
  await tx.run(q.deleteFactorsOf, administratorId);
  await tx.run(q.deleteRecoveryCodesOf, administratorId);
  await tx.run(q.deleteAdministrator, administratorId);
}

const noLink = (): Problem =>
  new Problem(403, 'the setup link is unknown, was used, or is older than 15 minutes; ask for a new one');
const otherName = (name: string): Problem =>
  new Problem(403, `the setup link is for the administrator ${name}`, {
    errors: [{ field: 'name', message: `must be ${name}` }],
  });
const taken = (name: string): Problem =>
  new Problem(409, `an administrator has the name ${name} already`, { field: 'name' });
const firstExists = (): Problem =>
  new Problem(409, 'the server has its first administrator already, who can make a setup link for you');
