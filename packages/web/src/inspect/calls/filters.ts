// The filters that decide which calls the list shows.
import type { SeenCall } from '@sealpost/contract/workbench';
import { matcher } from '@sealpost/testing/call-match';

export const callStates = ['running', 'answered', 'cut', 'dropped', 'left'] as const satisfies SeenCall['state'][];

export interface Filters {
  /** The text to search. Every word must occur somewhere in the call. */
  readonly text: string;
  /** The name of a method. As in faults, `*` stands for any characters. Without a `*`, a part of the name is enough. */
  readonly method: string;
  /** The mid of the account; empty for all accounts. */
  readonly account: string;
  readonly state: SeenCall['state'] | '';
  readonly errorsOnly: boolean;
}

export const noFilters: Filters = { text: '', method: '', account: '', state: '', errorsOnly: false };

export const isFiltering = ({ text, method, account, state, errorsOnly }: Filters): boolean =>
  errorsOnly || [text, method, account, state].some((value) => value !== '');

/** Returns whether something went wrong with a call. */
export const isWrong = ({ error, status = 0, state }: SeenCall): boolean =>
  error !== undefined || status >= 400 || state === 'cut' || state === 'dropped';

const searched = new WeakMap<SeenCall, string>();

/** Returns all searchable text of a call, in lower case. */
function textOf(call: SeenCall): string {
  const known = searched.get(call);
  if (known !== undefined) return known;
  const { endpoint, path, verb, userid, mid, status, error, tag, fault, appended } = call;
  const wrote = appended.map(({ type, userid: name, mid: to }) => `${type} ${name ?? ''} ${to}`);
  const parts = [endpoint, path, verb, userid, mid, status, error?.name, error?.message, error?.code, tag, ...wrote];
  const text = [...parts, fault === undefined ? '' : `fault ${fault}`].join(' ').toLowerCase();
  searched.set(call, text);
  return text;
}

/** Returns the calls that match all filters. */
export function fitting(calls: readonly SeenCall[], filters: Filters): readonly SeenCall[] {
  if (!isFiltering(filters)) return calls;
  const { text, method, account, state, errorsOnly } = filters;
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const named = matcher({
    ...(method !== '' && { method: method.includes('*') ? method : `*${method}*` }),
    ...(account !== '' && { account }),
  });
  return calls.filter(
    (call) =>
      (state === '' || call.state === state) &&
      (!errorsOnly || isWrong(call)) &&
      named(call) &&
      words.every((word) => textOf(call).includes(word)),
  );
}
