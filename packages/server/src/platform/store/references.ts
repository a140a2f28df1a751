// The references of each table to other tables. The database itself checks no references, because a check would cost
// each send several reads. `sealpost verify` checks them. A test compares this list with the tables that the migrations
// make.

export interface Reference {
  /** The columns that refer to a row of another table. If one of them is null, the row refers to nothing. */
  readonly columns: readonly string[];
  readonly table: string;
  /** The columns of the other table, in the same order. */
  readonly to: readonly string[];
  /** True if 0 in the last column means that the row refers to nothing. */
  readonly zeroIsNone?: true;
}

interface TableReferences {
  readonly refers: readonly Reference[];
  /** Columns that look like references, each with the reason why their row may be missing. */
  readonly free?: Readonly<Record<string, string>>;
}

const account = (column: string): Reference => ({ columns: [column], table: 'account', to: ['id'] });
const chat = (column = 'chat_id'): Reference => ({ columns: [column], table: 'chat', to: ['id'] });
const group: Reference = { columns: ['chat_id'], table: 'group_chat', to: ['chat_id'] };
const message = (id = 'message_id'): Reference => ({
  columns: ['chat_id', id],
  table: 'message',
  to: ['chat_id', 'id'],
});
const session = (column = 'session_id'): Reference => ({ columns: [column], table: 'login_session', to: ['id'] });
const key = (owner: string, id: string): Reference => ({
  columns: [owner, id],
  table: 'e2ee_key',
  to: ['account_id', 'key_id'],
});
const groupKey: Reference = {
  columns: ['chat_id', 'group_key_id'],
  table: 'e2ee_group_key',
  to: ['chat_id', 'group_key_id'],
};
const administrator: Reference = { columns: ['administrator_id'], table: 'administrator', to: ['id'] };
const ofAccount: TableReferences = { refers: [account('account_id')] };
const none: TableReferences = { refers: [] };

const SESSION_ENDS = 'the session may have ended and been forgotten';
const MARK = 'a position between messages';
const OWN = 'the number of the row itself';

/** The references of all tables. An account keeps its row when it is deleted, so references to it stay valid. */
export const references: Readonly<Record<string, TableReferences>> = {
  access_token: { refers: [session(), account('account_id')] },
  account: none,
  admin_token: none,
  administrator: none,
  administrator_count: none,
  administrator_factor: { refers: [administrator], free: { credential_id: 'the name of a passkey in a browser' } },
  administrator_recovery_code: { refers: [administrator] },
  administrator_session: { refers: [administrator] },
  administrator_setup: none,
  attempt: none,
  audit: none,
  certificate: { refers: [account('account_id')], free: { session_id: SESSION_ENDS } },
  chat: none,
  chat_member: {
    refers: [group, account('account_id'), account('inviter_id')],
    free: { since_message_id: MARK },
  },
  contact: { refers: [account('owner_id'), account('contact_id')] },
  e2ee_group_key: { refers: [chat(), key('creator_id', 'creator_key_id')], free: { group_key_id: OWN } },
  e2ee_group_key_share: { refers: [groupKey, key('account_id', 'key_id')] },
  e2ee_key: { ...ofAccount, free: { key_id: OWN } },
  e2ee_key_counter: { refers: [], free: { last_key_id: 'checked with the key log' } },
  group_chat: {
    refers: [chat(), account('creator_id'), { ...groupKey, zeroIsNone: true }],
  },
  home: { ...ofAccount, free: { cover_object_id: 'the object may have been removed' } },
  invite: none,
  invite_use: { refers: [account('account_id'), { columns: ['invite_id'], table: 'invite', to: ['id'] }] },
  key_backup: ofAccount,
  key_log_node: none,
  log_share: none,
  log_subscriber: none,
  login_key: none,
  login_session: ofAccount,
  media_carrier: {
    refers: [message(), account('owner_id')],
    free: { oid: 'the object may have been removed' },
  },
  media_object: ofAccount,
  media_usage: ofAccount,
  message: {
    refers: [
      chat(),
      account('sender_id'),
      account('only_for'),
      { columns: ['id', 'chat_id'], table: 'message_location', to: ['id', 'chat_id'] },
    ],
  },
  message_box: {
    refers: [account('account_id'), chat(), account('peer_id')],
    free: { seen_message_id: MARK, removed_message_id: MARK, hidden_message_id: MARK },
  },
  message_location: { refers: [message('id')] },
  notice: none,
  node_holder: none,
  open_account: ofAccount,
  operation: {
    refers: [{ columns: ['account_id'], table: 'operation_head', to: ['account_id'] }, chat()],
    free: { session_id: SESSION_ENDS, message_id: 'the message may have been removed because of its age' },
  },
  operation_head: {
    refers: [account('account_id'), { ...key('account_id', 'sealing_key_id'), zeroIsNone: true }],
    free: { last_message_id: MARK },
  },
  owed_news: ofAccount,
  owned_product: { refers: [account('account_id')], free: { product_id: 'the pack may come with the server' } },
  parked_operation: ofAccount,
  past_membership: {
    refers: [group, account('account_id')],
    free: { after_message_id: MARK, before_message_id: MARK },
  },
  pending_login: { refers: [account('account_id')], free: { scanner_session_id: SESSION_ENDS } },
  product: { refers: [], free: { first_sticker_id: 'a number of the product' } },
  product_counter: { refers: [], free: { next_product_id: 'a free number', next_sticker_id: 'a free number' } },
  profile: ofAccount,
  push_subscription: { refers: [account('account_id')], free: { session_id: SESSION_ENDS } },
  reaction: { refers: [message(), account('account_id'), account('only_for')] },
  refresh_family: { refers: [session(), account('account_id')] },
  report: { refers: [account('reporter_id'), account('reported_id')] },
  request: { refers: [account('account_id')], free: { session_id: SESSION_ENDS } },
  retention_order: none,
  running_server: none,
  sealed_message: { refers: [chat()] },
  server_secret: none,
  settings: ofAccount,
  subscriber_cursor: ofAccount,
  used_challenge: none,
};
