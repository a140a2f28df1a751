// The attributes of a profile, each with the form that its value has on the wire.
import { type Profile, profileAttributes } from '@sealpost/contract';

/** A status message, with data about parts of its text, such as emoji of packs. */
export interface StatusMessage {
  readonly text: string;
  readonly metadata: Readonly<Record<string, string>>;
}

/**
 * The attributes of a profile that can be changed. An empty string removes an attribute, but the display name must not
 * be empty.
 */
export interface ProfileChanges {
  readonly displayName?: string;
  readonly statusMessage?: string | StatusMessage;
  readonly phoneticName?: string;
  readonly email?: string;
  readonly allowSearchByUserid?: boolean;
  readonly allowSearchByEmail?: boolean;
  /** The path of a picture on the server. `setPicture` uploads a picture. */
  readonly picturePath?: string;
  /** The piece of music that the profile shows. The program that shows it defines the fields. */
  readonly musicProfile?: Readonly<Record<string, unknown>> | '';
  readonly avatarProfile?: Readonly<NonNullable<Profile['avatarProfile']>> | '';
  /** The status text of an official account. */
  readonly buddyStatus?: string;
}

const attributes = {
  displayName: 'DISPLAY_NAME',
  statusMessage: 'STATUS_MESSAGE',
  phoneticName: 'PHONETIC_NAME',
  email: 'EMAIL',
  allowSearchByUserid: 'ALLOW_SEARCH_BY_USERID',
  allowSearchByEmail: 'ALLOW_SEARCH_BY_EMAIL',
  picturePath: 'PICTURE',
  musicProfile: 'MUSIC_PROFILE',
  avatarProfile: 'AVATAR_PROFILE',
  buddyStatus: 'BUDDY_STATUS',
} as const satisfies Record<keyof ProfileChanges, Exclude<keyof typeof profileAttributes, 'ALL'>>;

interface AttributeValue {
  value: string;
  meta?: Record<string, string>;
}

/** Returns changes in the form that the call needs: the number of each attribute, with its value as text. */
export function profileAttributesOf(changes: ProfileChanges): Record<string, AttributeValue> {
  const entries = Object.entries(attributes).flatMap(([name, attribute]) => {
    const value = changes[name as keyof ProfileChanges];
    return value === undefined ? [] : [[profileAttributes[attribute], attributeValue(value)] as const];
  });
  return Object.fromEntries(entries);
}

function attributeValue(value: NonNullable<ProfileChanges[keyof ProfileChanges]>): AttributeValue {
  if (typeof value !== 'object') return { value: String(value) };
  return isStatus(value) ? { value: value.text, meta: { ...value.metadata } } : { value: JSON.stringify(value) };
}

const isStatus = (value: object): value is StatusMessage => 'text' in value && 'metadata' in value;
