// The limits that clients use before a call. They have a separate module, so that a page does not load all other
// limits.

export interface LimitEntry {
  readonly value: number;
  readonly doc: string;
  /** The setting of the server that changes the limit. If absent, the limit is fixed. */
  readonly setting?: string;
}

export const clientLimits = {
  keyBackupBytes: { value: 64 * 1024, doc: 'largest sealed backup of keys, then talk code 6' },
  textLength: { value: 10_000, doc: 'message text in code points' },
  midsPerCall: { value: 100, doc: 'mids in a list of getContactsV2, getChats, getRoomsV2, then talk code 6' },
  syncMessageBoxes: {
    value: 100,
    doc: 'boxes in a page if the call names none, the count that clients are told to ask for',
  },
  syncMessages: { value: 100, doc: 'messages in a page, the count that clients are told to ask for' },
  chatMembers: { value: 500, doc: 'members and invitees of a chat', setting: 'chat-members' },
  displayName: { value: 20, doc: 'display name in code points' },
  chatName: { value: 50, doc: 'chat name in code points' },
  statusMessage: { value: 500, doc: 'status message in code points' },
  unsendWindowMs: { value: 86_400_000, doc: 'how long a message can be unsent', setting: 'unsend-hours' },
  productsPerPage: {
    value: 1000,
    doc: 'products in a page of getOwnedProductSummaries, then the illegal argument of shops',
  },
} as const satisfies Record<string, LimitEntry>;
