// The rarer fields of a profile, one JSON text per account.
import type { Profile } from '@sealpost/contract';

/** Fields of Profile that lie in `profile.extra`. Unset ones are absent. */
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
  /** Official accounts: free text that their operator sets. */
  buddyStatus?: string;
};

/** The part of `extra` that the Profile and Contact structs carry under the same names. */
export function sharedFields(extra: string): Omit<ExtraFields, 'buddyStatus'> {
  const { buddyStatus: _, ...shared } = JSON.parse(extra) as ExtraFields;
  return shared;
}
