// Searches for strangers by phone number or userid. Only exact matches count. Users whose settings forbid the search
// are not found.
import { ApiError, type Contact } from '@sealpost/contract';
import type { UserCall } from '../../platform/rpc/call.ts';
import type { Reader } from '../../platform/store/store.ts';
import { normalPhone, normalUserid } from '../accounts/index.ts';
import { contactsByMid } from './contact-record.ts';
import { midByUserid, midsByPhone } from './queries.ts';

/** Returns contacts by phone number. The keys of the result are the numbers as the caller wrote them. */
export async function findByPhone(
  reader: Reader,
  { caller }: UserCall,
  phones: readonly string[],
): Promise<Record<string, Contact>> {
  const rows = await reader.each(
    midsByPhone,
    [...new Set(phones)].map((phone) => [phone, normalPhone(phone)]),
  );
  const contacts = await contactsByMid(
    reader,
    caller.accountId,
    rows.map((row) => row.mid),
  );
  return Object.fromEntries(
    rows.flatMap((row) => {
      const contact = contacts.get(row.mid);
      return contact ? [[row.asked, contact]] : [];
    }),
  );
}

/**
 * Returns the contact with this userid.
 * @throws NOT_FOUND if the user does not exist, or if the user's settings forbid the search
 */
export async function findByUserid(reader: Reader, { caller }: UserCall, userid: string): Promise<Contact> {
  const row = await reader.one(midByUserid, normalUserid(userid));
  const contact = row && (await contactsByMid(reader, caller.accountId, [row.mid])).get(row.mid);
  if (!contact)
    throw new ApiError('NOT_FOUND', `not found: searchId: nobody is found by ${JSON.stringify(userid.slice(0, 40))}`);
  return contact;
}
