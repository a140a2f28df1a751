/** Returns whether a header `If-None-Match` names the ETag. A proxy may have made the client's ETag a weak one. */
export function namesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.trim() === '*' || header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
