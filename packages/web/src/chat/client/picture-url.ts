/** Returns the address of the small picture of a profile or group; undefined if there is none. */
export const pictureUrl = (path: string | undefined): string | undefined => {
  const full = fullPictureUrl(path);
  return full && `${full}/preview`;
};

/** Returns the address of the picture of a profile or group in its full size; undefined if there is none. */
export const fullPictureUrl = (path: string | undefined): string | undefined =>
  path ? `${location.origin}/${path.replace(/^\/+/, '')}` : undefined;
