// updateContactSetting: changes one setting of one contact.
import { ApiError, contactSettings, limits } from '@sealpost/contract';
import type { UserCall } from '../../platform/rpc/call.ts';
import type { Tx } from '../../platform/store/store.ts';
import type { AddDeps } from './add-contacts.ts';
import { requireOther } from './require-users.ts';
import { type Relation, relationsOf, saveRelation } from './stored-relations.ts';

type Change = (relation: Relation, value: string, now: number) => void;

const changes: ReadonlyMap<number, Change> = new Map<number, Change>([
  [contactSettings.CONTACT_SETTING_NOTIFICATION_DISABLE, (r, value) => (r.muted = flag(value))],
  [contactSettings.CONTACT_SETTING_CONTACT_HIDE, (r, value) => (r.hidden = flag(value))],
  [
    contactSettings.CONTACT_SETTING_FAVORITE,
    (r, value, now) => (r.favorite_time = flag(value) === 0 ? 0 : r.favorite_time || now),
  ],
  [contactSettings.CONTACT_SETTING_DISPLAY_NAME_OVERRIDE, (r, value) => (r.name_override = name(value))],
  [contactSettings.CONTACT_SETTING_FRIEND_RINGTONE, (r, value) => (r.ringtone = value)],
  [contactSettings.CONTACT_SETTING_FRIEND_RINGBACK_TONE, (r, value) => (r.ringback_tone = value)],
  [contactSettings.CONTACT_SETTING_DELETE, forget],
]);

export async function updateContactSetting(
  tx: Tx,
  { log, clock }: AddDeps,
  { caller }: UserCall,
  reqSeq: number,
  mid: string,
  setting: number,
  value: string,
): Promise<void> {
  const change = changes.get(setting);
  if (!change) throw new ApiError('ILLEGAL_ARGUMENT', `flag ${setting} is not a contact setting`);
  const target = await requireOther(tx, caller.mid, 'mid', mid);
  const deletes = setting === contactSettings.CONTACT_SETTING_DELETE;
  const self = caller.accountId;
  const heads = await log.lock(tx, deletes ? [self, target.id] : [self]);
  const found = await relationsOf(tx, [
    [self, target.id],
    [target.id, self],
  ]);
  const own = found.get(self, target.id);
  if (own.added === 0) throw new ApiError('NOT_FOUND', `no contact ${mid}`);
  change(own, value, clock.now());
  await saveRelation(tx, own);
  if (deletes) await saveRelation(tx, { ...found.get(target.id, self), added_by_time: 0 });
  await log.append(
    tx,
    [{ accountId: self, to: 'self', type: 'UPDATE_CONTACT', reqSeq, params: { mid, setting } }],
    heads,
  );
}

/** Marks a contact as deleted and resets its settings. A blocked user stays blocked. */
function forget(relation: Relation, value: string): void {
  if (flag(value) === 0) throw new ApiError('ILLEGAL_ARGUMENT', 'a contact is deleted by the value true only');
  relation.added = 0;
  relation.deleted = 1;
  relation.muted = 0;
  relation.hidden = 0;
  relation.favorite_time = 0;
  relation.name_override = '';
  relation.ringtone = '';
  relation.ringback_tone = '';
}

function flag(value: string): 0 | 1 {
  if (value !== 'true' && value !== 'false') throw new ApiError('ILLEGAL_ARGUMENT', 'value is neither true nor false');
  return value === 'true' ? 1 : 0;
}

function name(value: string): string {
  const length = [...value].length;
  if (length > limits.displayName.value) {
    throw new ApiError('INVALID_LENGTH', `the name has ${length} characters, at most ${limits.displayName.value} fit`);
  }
  return value;
}
