// The address that opens the page with one person, to add it.
import { addPath, contactPath } from '../routes.ts';

/** @param here the address of the page */
export function addAddress(here: string, { mid, userid }: { mid: string; userid?: string | undefined }): string {
  const address = new URL(here);
  address.search = '';
  address.hash = userid ? addPath(userid) : contactPath(mid);
  return address.href;
}
