// updateProfileAttributes: changes the attributes whose bits are the keys of the given map.
import { ApiError, limits, type NamedOperation, profileAttributes } from '@sealpost/contract';
import { unstorable, unstorableIn } from '../../platform/kernel/storable-text.ts';
import type { Caller, UserCall } from '../../platform/rpc/call.ts';
import { type RemovePicture, requirePicturePath } from '../../platform/rpc/picture-path.ts';
import type { Tx } from '../../platform/store/store.ts';
import type { NewOperation, OperationLog } from '../../platform/stream/operation-log.ts';
import { normalEmail } from '../accounts/index.ts';
import * as q from './queries.ts';
import { COLUMNS } from './settings-defaults.ts';
import type { ExtraFields } from './stored-profile.ts';

interface AttributeValue {
  readonly value: string;
  readonly meta?: Record<string, string>;
}

/** The profile while an update changes it. `changed` collects the new values for the operations that announce them. */
interface Draft {
  displayName: string;
  statusMessage: string;
  picturePath: string;
  email: string | null;
  hideUserid: boolean;
  hideEmail: boolean;
  extra: ExtraFields;
  changed: Record<string, unknown>;
}

type Apply = (draft: Draft, attribute: AttributeValue) => void;
type Bit = Exclude<keyof typeof profileAttributes, 'ALL'>;

const EMAIL = /^[^\s@\p{Cc}]{1,64}@[^\s@\p{Cc}]{1,189}$/u;
const META_ENTRIES = 32;
const META_LENGTH = 4000;

const attributes: Record<Bit, Apply> = {
  EMAIL(draft, { value }) {
    const email = normalEmail(value);
    if (email !== '' && !EMAIL.test(email)) throw new ApiError('ILLEGAL_ARGUMENT', 'email is not an e-mail address');
    draft.email = email === '' ? null : email;
    draft.changed.email = draft.email ?? '';
  },
  DISPLAY_NAME(draft, { value }) {
    if (value.trim() === '') throw new ApiError('ILLEGAL_ARGUMENT', 'displayName is empty');
    requireLength('displayName', value, limits.displayName.value);
    draft.changed.displayName = draft.displayName = value;
  },
  PHONETIC_NAME(draft, { value }) {
    requireLength('phoneticName', value, limits.displayName.value);
    draft.changed.phoneticName = value;
    setExtra(draft, 'phoneticName', value);
  },
  PICTURE(draft, { value }) {
    requirePicturePath(value, draft.picturePath);
    draft.changed.picturePath = draft.picturePath = value;
  },
  STATUS_MESSAGE(draft, { value, meta }) {
    requireLength('statusMessage', value, limits.statusMessage.value);
    draft.changed.statusMessage = draft.statusMessage = value;
    delete draft.extra.statusMessageContentMetadata;
    if (meta === undefined || Object.keys(meta).length === 0) return;
    if (Object.keys(meta).length > META_ENTRIES || JSON.stringify(meta).length > META_LENGTH) {
      throw new ApiError('INVALID_LENGTH', 'the meta of statusMessage is too large');
    }
    draft.changed.statusMessageContentMetadata = draft.extra.statusMessageContentMetadata = meta;
  },
  ALLOW_SEARCH_BY_USERID(draft, { value }) {
    const allowed = flagOf('allowSearchByUserid', value);
    draft.hideUserid = !allowed;
    draft.changed.allowSearchByUserid = allowed;
  },
  ALLOW_SEARCH_BY_EMAIL(draft, { value }) {
    const allowed = flagOf('allowSearchByEmail', value);
    draft.hideEmail = !allowed;
    draft.changed.allowSearchByEmail = allowed;
  },
  BUDDY_STATUS(draft, { value }) {
    requireLength('buddyStatus', value, limits.statusMessage.value);
    draft.changed.buddyStatus = value;
    setExtra(draft, 'buddyStatus', value);
  },
  MUSIC_PROFILE(draft, { value }) {
    if (value !== '') jsonObject('musicProfile', value);
    draft.changed.musicProfile = value;
    setExtra(draft, 'musicProfile', value);
  },
  AVATAR_PROFILE(draft, { value }) {
    delete draft.extra.avatarProfile;
    draft.changed.avatarProfile = {};
    if (value === '') return;
    draft.changed.avatarProfile = draft.extra.avatarProfile = avatarOf(jsonObject('avatarProfile', value));
  },
};

const nameOfBit: ReadonlyMap<string, Bit> = new Map(
  (Object.keys(attributes) as Bit[]).map((name) => [String(profileAttributes[name]), name]),
);

/** Attributes that are announced to the account's own sessions only. */
const PRIVATE: ReadonlySet<Bit> = new Set<Bit>(['EMAIL', 'ALLOW_SEARCH_BY_USERID', 'ALLOW_SEARCH_BY_EMAIL']);
const PRIVATE_VALUES = ['email', 'allowSearchByUserid', 'allowSearchByEmail'] as const;

/** The accounts that have an account as a contact. They are told of each change of its profile. */
interface Friends {
  tell(
    own: readonly NewOperation[],
    news: Extract<NamedOperation, { readonly type: 'NOTIFIED_UPDATE_PROFILE' }> | undefined,
  ): Promise<void>;
}

export interface ProfileChangeDeps {
  readonly log: OperationLog;
  /** Locks the log of an account, and what else must not change until its friends are told. */
  readonly lockFriends: (tx: Tx, log: OperationLog, accountId: number) => Promise<Friends>;
}

export async function updateProfile(
  tx: Tx,
  deps: ProfileChangeDeps & { readonly removePicture: RemovePicture },
  call: UserCall,
  reqSeq: number,
  updates: Readonly<Record<string, AttributeValue>>,
): Promise<void> {
  const bits = Object.keys(updates).map(bitOf);
  if (bits.length === 0) throw new ApiError('ILLEGAL_ARGUMENT', 'profileAttributes is empty');
  const { accountId } = call.caller;
  const friends = await deps.lockFriends(tx, deps.log, accountId);
  const row = await tx.one(q.profileOf, accountId);
  if (!row) return;

  const draft = draftOf(row);
  for (const [key, value] of Object.entries(updates)) attributes[bitOf(key)](draft, value);
  await storeDraft(tx, accountId, row, draft);
  if (draft.picturePath !== row.picture_path) await deps.removePicture(tx, row.picture_path);
  await friends.tell([ownNews(call.caller, reqSeq, bits, draft.changed)], friendNews(call.caller, bits, draft.changed));
}

/** Sets the account's profile picture after an upload, and returns the path of the previous picture. */
export async function setPicture(tx: Tx, deps: ProfileChangeDeps, caller: Caller, path: string): Promise<string> {
  const friends = await deps.lockFriends(tx, deps.log, caller.accountId);
  const row = await tx.one(q.profileOf, caller.accountId);
  if (!row) return '';
  const draft = draftOf(row);
  draft.changed.picturePath = draft.picturePath = path;
  await storeDraft(tx, caller.accountId, row, draft);
  const bits = ['PICTURE'] as const;
  await friends.tell([ownNews(caller, 0, bits, draft.changed)], friendNews(caller, bits, draft.changed));
  return row.picture_path;
}

function draftOf(row: q.ProfileRow): Draft {
  return {
    displayName: row.display_name,
    statusMessage: row.status_message,
    picturePath: row.picture_path,
    email: row.email,
    hideUserid: row.hide_userid === 1,
    hideEmail: row.hide_email === 1,
    extra: JSON.parse(row.extra) as ExtraFields,
    changed: {},
  };
}

async function storeDraft(tx: Tx, accountId: number, row: q.ProfileRow, draft: Draft): Promise<void> {
  await tx.run(
    q.updateProfile,
    draft.displayName,
    draft.statusMessage,
    draft.picturePath,
    JSON.stringify(draft.extra),
    accountId,
  );
  if (draft.email !== row.email) {
    if (draft.email === null && row.userid === null && row.phone === null) {
      throw new ApiError('FEATURE_RESTRICTED', 'the e-mail address is the only identifier of this account');
    }
    const holder = draft.email === null ? undefined : await tx.one(q.emailHolder, draft.email);
    if (holder && holder.id !== accountId) throw new ApiError('INVALID_STATE', 'this e-mail address cannot be used');
    await tx.run(q.updateEmail, draft.email, accountId);
  }
  if (draft.hideUserid !== (row.hide_userid === 1) || draft.hideEmail !== (row.hide_email === 1)) {
    const settings = await tx.one(q.settingsOfAccount, accountId);
    if (!settings) return;
    const next = {
      ...settings,
      [COLUMNS.privacySearchByUserid]: draft.hideUserid ? 1 : 0,
      [COLUMNS.privacySearchByEmail]: draft.hideEmail ? 1 : 0,
    };
    await q.storeSettings(tx, accountId, next);
  }
}

type Changed = Readonly<Record<string, unknown>>;

const ownNews = ({ accountId }: Caller, reqSeq: number, bits: readonly Bit[], changed: Changed): NewOperation => ({
  accountId,
  to: 'self',
  type: 'UPDATE_PROFILE',
  reqSeq,
  params: { attributes: maskOf(bits), changed },
});

/** Returns the operation that tells friends of a change; undefined if only private attributes changed. */
function friendNews({ mid }: Caller, bits: readonly Bit[], changed: Changed) {
  const open = bits.filter((bit) => !PRIVATE.has(bit));
  if (open.length === 0) return undefined;
  const told = Object.fromEntries(
    Object.entries(changed).filter(([name]) => !(PRIVATE_VALUES as readonly string[]).includes(name)),
  );
  return { type: 'NOTIFIED_UPDATE_PROFILE', params: { mid, attributes: maskOf(open), changed: told } } as const;
}

const maskOf = (bits: readonly Bit[]): number => bits.reduce((mask, bit) => mask | profileAttributes[bit], 0);

function bitOf(key: string): Bit {
  const name = nameOfBit.get(key);
  if (name === undefined) throw new ApiError('ILLEGAL_ARGUMENT', `unknown profile attribute ${key.slice(0, 20)}`);
  return name;
}

function requireLength(name: string, value: string, limit: number): void {
  const length = [...value].length;
  if (length > limit) throw new ApiError('INVALID_LENGTH', `${name} has ${length} characters, at most ${limit} fit`);
}

function flagOf(name: string, value: string): boolean {
  if (value !== 'true' && value !== 'false')
    throw new ApiError('ILLEGAL_ARGUMENT', `${name} is neither true nor false`);
  return value === 'true';
}

function jsonObject(name: string, value: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(value);
    const path = unstorableIn(parsed, name);
    if (path !== undefined) throw new ApiError('ILLEGAL_ARGUMENT', unstorable(path));
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return { ...parsed };
  } catch (error) {
    if (error instanceof ApiError) throw error;
    // A parse error means that the text is not JSON. The error below also covers this case.
  }
  throw new ApiError('ILLEGAL_ARGUMENT', `${name} is not the JSON text of an object`);
}

function avatarOf({ version, updatedMillis, thumbnail, usablePublicly }: Record<string, unknown>) {
  const avatar: NonNullable<ExtraFields['avatarProfile']> = {};
  if (typeof version === 'string') avatar.version = version;
  if (/^\d{1,16}$/.test(String(updatedMillis))) avatar.updatedMillis = String(updatedMillis);
  if (typeof thumbnail === 'string') avatar.thumbnail = thumbnail;
  if (typeof usablePublicly === 'boolean') avatar.usablePublicly = usablePublicly;
  return avatar;
}

function setExtra(draft: Draft, name: 'phoneticName' | 'musicProfile' | 'buddyStatus', value: string): void {
  if (value === '') delete draft.extra[name];
  else draft.extra[name] = value;
}
