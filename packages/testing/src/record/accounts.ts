// Finds the accounts of a recorded session. Access tokens belong to the same account if a renewal connects them.
import { brandHeader } from '@sealpost/contract';
import { headerOf } from '../wire/headers.ts';
import { fieldOf, parsedJson, textOf } from '../wire/loose-json.ts';
import type { RecordedExchange, SessionFile } from './session-file.ts';

/** Returns the number of the account of each access token. The account that calls first is 0. */
export function accountsOf({ exchanges, brand }: SessionFile): ReadonlyMap<string, number> {
  const accounts = new Map<string, number>();
  const byRefreshToken = new Map<string, number>();
  let count = 0;
  for (const exchange of exchanges) {
    const sent = headerOf(exchange.headers, brandHeader(brand, 'access'));
    const refreshed = textOf(fieldOf(parsedJson(exchange.body.content), 'refreshToken'));
    const issued = tokensIn(exchange);
    const known =
      (sent === undefined ? undefined : accounts.get(sent)) ??
      (refreshed === undefined ? undefined : byRefreshToken.get(refreshed));
    const account = known ?? (sent !== undefined || issued ? count++ : undefined);
    if (account === undefined) continue;
    if (sent !== undefined) accounts.set(sent, account);
    if (issued) {
      accounts.set(issued.accessToken, account);
      byRefreshToken.set(issued.refreshToken, account);
    }
  }
  return accounts;
}

/** Returns the tokens that a login or a renewal issued. */
function tokensIn({ answer }: RecordedExchange) {
  const data = fieldOf(parsedJson(answer?.body?.content ?? ''), 'data');
  for (const result of [fieldOf(data, 'tokenV3IssueResult'), data]) {
    const accessToken = textOf(fieldOf(result, 'accessToken'));
    const refreshToken = textOf(fieldOf(result, 'refreshToken'));
    if (accessToken !== undefined && refreshToken !== undefined) return { accessToken, refreshToken };
  }
  return undefined;
}
