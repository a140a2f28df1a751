// The token of a setup link, which stands in the address after the #. It is removed from there at once, so that it stays
// neither in the history nor in a picture of the screen.

let token: string | undefined;

/** Reads the token from the address, and removes it there. Called once, before anything else reads the address. */
export function takeSetupToken(): void {
  const [, found] = /^#setup=([\w.-]+)$/.exec(location.hash) ?? [];
  if (found === undefined) return;
  token = found;
  history.replaceState(null, '', location.pathname);
}

export const setupToken = (): string | undefined => token;
