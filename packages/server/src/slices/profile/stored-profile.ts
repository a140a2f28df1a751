// The rarer fields of a profile, stored as one JSON text per account.
import type { Profile } from '@sealpost/contract';

/** Fields of Profile that are stored in `profile.extra`. Unset fields are absent. */
export type ExtraFields = Pick<
  Profile,
  | 'phoneticName'
  | 'pictureStatus'
  | 'musicProfile'
  | 'videoProfile'
  | 'avatarProfile'
  | 'statusMessageContentMetadata'
  | 'pictureSource'
> & {
  /** Free text of an official account, set by its operator. */
  buddyStatus?: string;
};

/** Returns the fields of `extra` that Profile and Contact have under the same names. */
export function sharedFields(extra: string): Omit<ExtraFields, 'buddyStatus'> {
  const { buddyStatus: _, ...shared } = JSON.parse(extra) as ExtraFields;
  return shared;
}
