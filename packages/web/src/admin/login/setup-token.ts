// The token of a setup link, which follows after the # in the address. It is removed from the address at once, so that
// it appears neither in the history nor in a screenshot.

let token: string | undefined;

/**
 * Reads the token from the address, and removes it from the address. Called once, before anything else reads the
 * address.
 */
export function takeSetupToken(): void {
  const [, found] = /^#setup=([\w.-]+)$/.exec(location.hash) ?? [];
  if (found === undefined) return;
  token = found;
  history.replaceState(null, '', location.pathname);
}

export const setupToken = (): string | undefined => token;
