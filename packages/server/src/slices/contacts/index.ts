// Contacts, relations and official accounts (specification: Contacts, relations, buddies).

export { contactsByMid } from './contact-record.ts';
export { forgetAccount } from './forget-account.ts';
export { friendsOf, guardsOf } from './guards.ts';
export { type ContactsDeps, contactsHandlers } from './handlers.ts';
