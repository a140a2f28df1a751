/** Returns the address of the picture of a profile or group; undefined if there is none. */
export const pictureUrl = (path: string | undefined): string | undefined =>
  path ? `${location.origin}/${path.replace(/^\/+/, '')}/preview` : undefined;
