// Admin endpoints that find accounts, and that tell how much space and how many sessions accounts use.
import { type AccountOverview, adminPageLimits, searchedAtOnce } from '@sealpost/contract/admin';
import type { Clock } from '@sealpost/contract/ports';
import { pageOf } from '../../platform/json-api/input.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Account, Accounts } from '../accounts/index.ts';
import { requireAccount } from './account-handlers.ts';
import { overviewJson } from './answers.ts';
import type { AdminHandlers } from './call.ts';
import { largestAccounts, type UseRow, usesOf } from './queries.ts';

export interface PeopleAdminDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly accounts: Pick<Accounts, 'show' | 'list' | 'byIdentifier'>;
}

type PeopleEndpoint = 'searchAccounts' | 'showOverview' | 'listLargestAccounts';

/** Number of accounts that a search reads in one query. */
const READ_AT_ONCE = 500;

export function peopleAdminHandlers({ store, clock, accounts }: PeopleAdminDeps): AdminHandlers<PeopleEndpoint> {
  /** Returns how much each account uses, by account id. */
  async function usesBy(found: readonly Account[]): Promise<ReadonlyMap<number, UseRow>> {
    const now = clock.now();
    const asked = found.map(({ id }) => [id, now]);
    const uses = await store.read((reader) => reader.each(usesOf, asked));
    return new Map(uses.map((use) => [use.id, use]));
  }

  async function overviews(found: readonly Account[]): Promise<AccountOverview[]> {
    const uses = await usesBy(found);
    return found.map((account) => overviewJson(account, uses.get(account.id)));
  }

  /** Returns the account that has a text as its mid, user id, e-mail address or phone number. */
  async function named(text: string): Promise<Account | undefined> {
    const known = await store.read((reader) => accounts.byIdentifier(reader, text));
    return accounts.show(known?.mid ?? text);
  }

  return {
    async searchAccounts(args) {
      const { limit, cursor } = pageOf(args, 0);
      const { kind } = args;
      const text = comparable(args.text ?? '');
      const exact = text === '' ? undefined : await named(args.text ?? '');
      const wanted = exact && (kind === undefined || exact.kind === kind) ? exact : undefined;
      const { found, next } = await search(
        (after, count) => accounts.list(after, count, kind),
        (account) => account.id !== wanted?.id && contains(account, text),
        { after: cursor, limit },
      );
      const shown = wanted && cursor === 0 ? [wanted, ...found] : found;
      return { accounts: await overviews(shown), ...(next !== undefined && { cursor: String(next) }) };
    },
    async showOverview({ account }) {
      const found = await requireAccount(accounts, account);
      return overviewJson(found, (await usesBy([found])).get(found.id));
    },
    async listLargestAccounts({ limit = adminPageLimits.usual } = {}) {
      const largest = await store.read((reader) => reader.all(largestAccounts, limit));
      const found = await Promise.all(largest.map(({ mid }) => accounts.show(mid)));
      return { accounts: await overviews(found.filter((account) => account !== undefined)) };
    },
  };
}

interface SearchResult {
  readonly found: readonly Account[];
  /** The id after which the search continues; undefined if all accounts were read. */
  readonly next: number | undefined;
}

/** Reads accounts in the order of their ids until enough accounts match, or until the maximum for one call was read. */
async function search(
  read: (after: number, count: number) => Promise<Account[]>,
  fits: (account: Account) => boolean,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<SearchResult> {
  const found: Account[] = [];
  let at = after;
  for (let seen = 0; seen < searchedAtOnce; ) {
    const accounts = await read(at, READ_AT_ONCE);
    for (const account of accounts) {
      at = account.id;
      if (!fits(account)) continue;
      found.push(account);
      if (found.length === limit) return { found, next: at };
    }
    if (accounts.length < READ_AT_ONCE) return { found, next: undefined };
    seen += accounts.length;
  }
  return { found, next: at };
}

/** Returns a text in a form for comparisons: in lower case, and with one form of each letter. */
const comparable = (text: string): string => text.normalize('NFKC').toLowerCase().trim();

const contains = ({ displayName, userid, mid, email, phone }: Account, text: string): boolean =>
  [displayName, userid, mid, email, phone].some((value) => value !== null && comparable(value).includes(text));
