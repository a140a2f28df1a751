// What the record of a user says about the relation.
import { type Contact, contactStatus } from '@sealpost/contract';

/** Returns whether a user is a contact that the list shows. */
export const isFriend = ({ status }: Contact): boolean => status === contactStatus.FRIEND;
