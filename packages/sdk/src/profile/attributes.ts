// The attributes of a profile, each with the form that its value has on the wire.
import { type Profile, profileAttributes } from '@sealpost/contract';

/** A status message with the data of what is shown in it, such as emoji of packs. */
export interface StatusMessage {
  readonly text: string;
  readonly metadata: Readonly<Record<string, string>>;
}

/** What can be changed of a profile. An empty text removes an attribute; only the display name must not be empty. */
export interface ProfileChanges {
  readonly displayName?: string;
  readonly statusMessage?: string | StatusMessage;
  readonly phoneticName?: string;
  readonly email?: string;
  readonly allowSearchByUserid?: boolean;
  readonly allowSearchByEmail?: boolean;
  /** The path of a picture that the server has. `setPicture` uploads one. */
  readonly picturePath?: string;
  /** The piece of music that the profile shows, in the form of the program that shows it. */
  readonly musicProfile?: Readonly<Record<string, unknown>> | '';
  readonly avatarProfile?: Readonly<NonNullable<Profile['avatarProfile']>> | '';
  /** A text of an official account. */
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

/** Returns changes as the call takes them: by the number of the attribute, each with its text. */
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
