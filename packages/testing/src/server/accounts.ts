// The accounts of a test server. They are created without a login and are contacts of each other. They can be looked up
// by user id, mid or number.
import { contentTypes, type MethodName } from '@sealpost/contract';
import type { DevAccount, DevLogin } from '@sealpost/contract/workbench';
import type { RunningServer } from '@sealpost/server/workbench';

interface KnownAccount extends DevAccount {
  readonly id: number;
  readonly userid: string;
}

export interface TestAccounts {
  /** Creates an account, and makes it a contact of all others that this module created. */
  create(userid: string, fields: { readonly password?: string; readonly displayName?: string }): Promise<DevAccount>;
  list(): readonly DevAccount[];
  /**
   * Returns an account by its user id or mid.
   * @throws NoAccount
   */
  find(account: string): Promise<{ readonly id: number; readonly mid: string; readonly userid: string | null }>;
  login(account: string): Promise<DevLogin>;
  /** Sends a plain text from one account to another. */
  say(from: string, to: string, text: string): Promise<void>;
  /** Learns the user id of an account that this module may not know, because something else created it. */
  learn(mid: string): Promise<void>;
  useridOf(mid: string): string | undefined;
  /** Returns the mid of an account, also if something else created it; undefined for a deleted account. */
  midOf(id: number): Promise<string | undefined>;
  /**
   * Reads all accounts of the server again, after the server was started from another state.
   * @param known those accounts of that state that this module created, with their passwords
   */
  reload(known: readonly DevAccount[]): Promise<void>;
}

/** Error for an account that the server does not have. */
export class NoAccount extends Error {
  override name = 'NoAccount';
  constructor(account: string, known: readonly (string | null)[]) {
    super(`no account has the user id or mid ${JSON.stringify(account)}; there are ${known.join(', ') || 'none'}`);
  }
}

const PAGE = 500;
const capital = (userid: string): string => `${userid[0]?.toUpperCase() ?? ''}${userid.slice(1)}`;
const passwordOf = (userid: string): string => `${userid}-sealpost`;
/** This module never repeats its calls, so they need no request number that protects against duplicates. */
const REQ_SEQ = 0;

/** @param server returns the running server; it is a function because a reset replaces the server */
export function createAccounts(server: () => RunningServer): TestAccounts {
  const made = new Map<string, KnownAccount>();
  const mids = new Map<number, string>();
  const userids = new Map<string, string>();

  function know(id: number, mid: string, userid: string | null): void {
    mids.set(id, mid);
    if (userid !== null) userids.set(mid, userid);
  }

  async function find(account: string) {
    const found = await server().slices.accounts.show(account);
    if (!found) throw new NoAccount(account, [...userids.values()]);
    know(found.id, found.mid, found.userid);
    return found;
  }

  return {
    find,
    async create(userid, { password = passwordOf(userid), displayName = capital(userid) }) {
      const { id, mid } = await server().slices.accounts.create({ userid, password, displayName });
      know(id, mid, userid);
      const account = { id, mid, userid, displayName, password };
      for (const other of made.values()) await introduce(server(), account, other);
      made.set(mid, account);
      return shown(account);
    },
    list: () => [...made.values()].map(shown),
    async login(account) {
      const { id, mid, userid } = await find(account);
      const { sessions } = server().slices;
      const { tokens } = await server().store.transact((tx) =>
        sessions.open(tx, {
          ...{ accountId: id, mid, remoteAddress: '127.0.0.1' },
          ...{ systemName: 'test', modelName: '', clientType: 'test' },
        }),
      );
      return { mid, userid: userid ?? '', ...tokens };
    },
    async say(from, to, text) {
      const [sender, receiver] = [await find(from), await find(to)];
      const send = server().slices.handlers['TalkService.sendMessage'];
      await send(callOf('TalkService.sendMessage', sender), REQ_SEQ, {
        ...{ to: receiver.mid, text },
        contentType: contentTypes.NONE,
      });
    },
    async learn(mid) {
      const found = await server().slices.accounts.show(mid);
      if (found) know(found.id, found.mid, found.userid);
    },
    useridOf: (mid) => userids.get(mid),
    async midOf(id) {
      if (!mids.has(id)) {
        const [found] = await server().slices.accounts.list(id - 1, 1);
        if (found?.id === id) know(id, found.mid, found.userid);
      }
      return mids.get(id);
    },
    async reload(known) {
      const { accounts } = server().slices;
      mids.clear();
      userids.clear();
      made.clear();
      const kept = new Map(known.map((account) => [account.mid, account]));
      for (let after = 0; ; ) {
        const page = await accounts.list(after, PAGE);
        for (const { id, mid, userid } of page) {
          know(id, mid, userid);
          const account = kept.get(mid);
          if (account && userid !== null) made.set(mid, { ...account, id, userid });
        }
        if (page.length < PAGE) return;
        after = page.at(-1)?.id ?? 0;
      }
    },
  };
}

const shown = ({ mid, userid, displayName, password }: KnownAccount): DevAccount => ({
  ...{ mid, userid, displayName },
  ...(password !== undefined && { password }),
});

/** Makes two accounts contacts of each other. */
async function introduce({ slices }: RunningServer, one: KnownAccount, other: KnownAccount): Promise<void> {
  const add = slices.handlers['TalkService.findAndAddContactsByMid'];
  await add(callOf('TalkService.findAndAddContactsByMid', one), REQ_SEQ, 0, [other.mid]);
  await add(callOf('TalkService.findAndAddContactsByMid', other), REQ_SEQ, 0, [one.mid]);
}

const callOf = (method: MethodName, { id, mid }: Pick<KnownAccount, 'id' | 'mid'>) => ({
  ...{ method, remoteAddress: '127.0.0.1', chromeClient: false, args: [] },
  caller: { accountId: id, mid, sessionId: 0 },
  header: () => undefined,
  signal: new AbortController().signal,
  setCookie: () => {},
});
