// Contacts, relations and official accounts: the exports of the slice.

export { contactsByMid } from './contact-record.ts';
export { forgetAccount } from './forget-account.ts';
export { createOwedNews, lockFriends } from './friends.ts';
export { blockersOf, guardsOf } from './guards.ts';
export { type ContactsDeps, contactsHandlers } from './handlers.ts';
