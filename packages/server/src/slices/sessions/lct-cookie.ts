// The cookie with the access token, for requests in which a browser cannot set a header.

export interface CookieOptions {
  /** True if browsers reach the server over https. The cookie is then marked as secure. */
  readonly secure: boolean;
}

export function lctCookie(accessToken: string, maxAgeSec: number, { secure }: CookieOptions): string {
  return `lct=${accessToken}; Path=/; Max-Age=${maxAgeSec}; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`;
}

export const clearLctCookie = (options: CookieOptions): string => lctCookie('', 0, options);
