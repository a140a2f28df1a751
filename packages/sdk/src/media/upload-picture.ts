import { loaded } from '../deferred.ts';
import type { HttpCalls } from '../gateway/http-calls.ts';
import type { Picture } from './picture.ts';

/**
 * Uploads a picture without its metadata, and makes it the picture of the account or of a group. Returns its path on
 * the server.
 * @param mid the account's own mid, or that of the group
 * @throws MediaError `metadata` if the picture has a format from which metadata cannot be removed
 */
export async function uploadPicture(
  { http }: { readonly http: Pick<HttpCalls, 'uploadProfile'> },
  mid: string,
  picture: Picture,
): Promise<string> {
  const { bytes, type } = await (await loaded(import('./picture.ts'))).uploadable(picture);
  return (await http.uploadProfile({ mid }, bytes, type)).picturePath;
}
