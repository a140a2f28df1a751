// Remembers the user id of an account that the server may have opened although no answer arrived. A reload of the tab
// does not forget it. The password is never kept.

const KEY = 'sealpost-opening';

/** @param userid the user id of the account that may exist; undefined if no account is uncertain */
export function keepOpening(userid: string | undefined): void {
  if (userid === undefined) sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, userid);
}

/** Returns the user id of the account that may exist; undefined if there is none. */
export const perhapsOpened = (): string | undefined => sessionStorage.getItem(KEY) ?? undefined;
