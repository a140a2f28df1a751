// The address that opens this page at a certain person. Users send it to others who want to add this person.
import { addPath, contactPath } from '../routes.ts';

/** @param here the current address of the page */
export function addAddress(here: string, { mid, userid }: { mid: string; userid?: string | undefined }): string {
  const address = new URL(here);
  address.search = '';
  address.hash = userid ? addPath(userid) : contactPath(mid);
  return address.href;
}
