/**
 * Returns true if a header `If-None-Match` names the ETag. The prefix `W/` is ignored, because a proxy may have added
 * it to the client's ETag.
 */
export function namesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.trim() === '*' || header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
