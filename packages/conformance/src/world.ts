// The surroundings of a check: the server under test, and accounts. The run creates the accounts and deletes them at
// its end.
import { AdminError, createRpcClient, GatewayError, type RpcClient } from '@sealpost/sdk';
import type { AdminClient } from '@sealpost/sdk/admin';
import { createPeople, type Makers, type People } from './derived/access-world.ts';
import { givePack } from './derived/owned-pack.ts';
import { createSamples, type Samples } from './derived/samples.ts';
import { createPerson, type Person } from './person.ts';
import { createRawClient, type RawClient } from './raw-client.ts';
import { pause, randomBytes } from './surroundings.ts';
import type { Target } from './target.ts';

export interface AccountFields {
  readonly kind?: 'user' | 'official';
  readonly phone?: string;
  readonly email?: string;
}

export interface World {
  readonly target: Target;
  readonly raw: RawClient;
  readonly admin: AdminClient;
  /** Creates an account with a session. */
  account(fields?: AccountFields): Promise<Person>;
  /** Creates an account in another way than `account` does. The run deletes it at its end. */
  keep<T extends { readonly mid: string }>(create: () => Promise<T>): Promise<T>;
  /** Logs in, and ends the client at the end of the run. */
  login(userid: string, password: string): Promise<RpcClient>;
  /** Creates one account for each name. */
  people<const N extends readonly string[]>(...names: N): Promise<{ [I in keyof N]: Person }>;
  /** Returns the accounts for the access rules. They are created once per run. */
  cast(): Promise<People>;
  /**
   * Accounts that make calls with sample arguments, and the chats and messages that these arguments name. They are
   * created once per run.
   */
  readonly samples: Samples;
  /** Registers work for the end of the run. The work is done before the accounts are deleted. */
  onEnd(work: () => Promise<void>): void;
  /** Deletes everything that the run created. */
  dispose(): Promise<void>;
}

const CLEANUPS_AT_ONCE = 4;
const DISPLAY_NAME = 'conformance';
const LOGIN_TRIES = 10;
const NO_ACCOUNT = 404;

export function createWorld(target: Target, admin: AdminClient): World {
  const raw = createRawClient({ ...target, patient: true });
  const accounts: string[] = [];
  const creations: Promise<unknown>[] = [];
  let ended = false;
  const clients: RpcClient[] = [];
  const endings: (() => Promise<void>)[] = [];
  let cast: Promise<People> | undefined;

  async function login(userid: string, password: string, first?: RpcClient): Promise<RpcClient> {
    const client = createRpcClient(target);
    clients.push(client);
    for (let attempt = 0; ; attempt++) {
      try {
        await client.login({
          identifier: userid,
          password,
          systemName: DISPLAY_NAME,
          onConfirmationNeeded: (pinCode) => void approve(first, pinCode),
        });
        return client;
      } catch (error) {
        if (!(error instanceof GatewayError) || !error.retryAfterMs || attempt === LOGIN_TRIES) throw error;
        await pause(error.retryAfterMs);
      }
    }
  }

  /** Creates an account. If the run ends during the creation, it waits for the account and deletes it too. */
  function keep<T extends { readonly mid: string }>(create: () => Promise<T>): Promise<T> {
    if (ended) throw new Error('The run is over');
    const creation = create().then((created) => {
      accounts.push(created.mid);
      return created;
    });
    creations.push(creation);
    return creation;
  }

  async function account(fields: AccountFields = {}): Promise<Person> {
    const userid = `conformance-${randomBytes(8).toString('hex')}`;
    const password = randomBytes(18).toString('base64url');
    const { mid } = await keep(() => admin.createAccount({ userid, password, displayName: DISPLAY_NAME, ...fields }));
    const client = await login(userid, password);
    const session = async (): Promise<Person> =>
      createPerson(raw, { mid, userid, password, client: await login(userid, password, client), session });
    return createPerson(raw, { mid, userid, password, client, session });
  }

  const makers: Makers = {
    async user() {
      const person = await account();
      return { mid: person.mid, client: person.client, session: async () => (await person.session()).client };
    },
    official: async () => (await account({ kind: 'official' })).mid,
    product: (owner) => givePack(admin, owner),
  };

  return {
    ...{ target, raw, admin, account, keep, login },
    people: async (...names) =>
      (await Promise.all(names.map(() => account()))) as { [I in keyof typeof names]: Person },
    cast: () => (cast ??= createPeople(makers, raw)),
    samples: createSamples(account),
    onEnd: (work) => void endings.push(work),
    async dispose() {
      ended = true;
      for (const client of clients) client.close();
      await Promise.allSettled(creations);
      for (const work of endings) await work();
      await resolveReports(admin, new Set(accounts));
      await each(accounts, (mid) => deleteUnlessGone(admin, mid));
      raw.close();
    },
  };
}

/** Deletes an account, unless a check has deleted it already. */
async function deleteUnlessGone(admin: AdminClient, mid: string): Promise<void> {
  await admin.deleteAccount({ account: mid }).catch((error: unknown) => {
    if (!(error instanceof AdminError && error.status === NO_ACCOUNT)) throw error;
  });
}

/** Approves the login of the device that shows this PIN. The approving device is the account's first one. */
async function approve(first: RpcClient | undefined, pinCode: string): Promise<void> {
  for (const login of (await first?.devices.pending()) ?? []) {
    // QR logins belong to other checks. Several credential logins may be waiting, but the PIN fits only one of them.
    if (login.kind !== 'CREDENTIAL') continue;
    await first?.devices.approve(login, { pinCode }).catch(() => {});
  }
}

/**
 * Resolves the abuse reports that the run made, so that they cause no work for the operator. The list begins with the
 * newest reports, which are those of the run.
 */
async function resolveReports(admin: AdminClient, reporters: ReadonlySet<string>): Promise<void> {
  let from: { readonly cursor?: string } = {};
  for (;;) {
    const { reports, cursor } = await admin.listReports({ status: 'open', ...from });
    const own = reports.filter(({ reporterMid }) => reporters.has(reporterMid));
    await each(own, ({ id }) => admin.resolveReport({ report: id, action: 'dismiss', note: DISPLAY_NAME }));
    if (own.length === 0 || cursor === undefined) return;
    from = { cursor };
  }
}

/**
 * Does the work for every item, several items at a time. If some items fail, tries all others and then throws the first
 * error.
 */
async function each<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const rest = [...items];
  const failures: unknown[] = [];
  const worker = async () => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) {
      await work(item).catch((error: unknown) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: CLEANUPS_AT_ONCE }, worker));
  if (failures.length > 0) throw failures[0];
}
