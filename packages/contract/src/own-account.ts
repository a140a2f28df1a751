// The methods with which people manage their own account: they change the password, user id, e-mail address and phone
// number, and delete the account. The specification does not define these methods.
import Type, { type Static } from 'typebox';
import { arg, rpc } from './method.ts';
import type { DeviceNewsKind } from './operation-types.ts';
import { Bool, Empty, optional, ReqSeq, Text } from './schema.ts';

/** Passwords are limited in bytes by the rules for passwords. This limit only keeps requests small. */
const Password = Text(512);

/** The identifiers with which an account logs in and is found. If the account lacks one, its field is absent. */
export const OwnIdentifiers = Type.Object(
  { userid: optional(Type.String()), email: optional(Type.String()), phone: optional(Type.String()) },
  { title: 'OwnIdentifiers' },
);
export type OwnIdentifiers = Static<typeof OwnIdentifiers>;

const news = (kind: DeviceNewsKind, when = '') =>
  ({
    type: 'SEND_ENCRYPTED_E2EE_KEY_REQUESTED',
    to: 'self',
    when: `news is "${kind}"${when}; id and about are those of the session that did it`,
  }) as const;
const refused = news('password-refused', ' if the password is wrong');

export const ownAccount = {
  'PrimaryDeviceService.changePassword': rpc({
    summary: 'Replaces the password, and ends all other sessions with their certificates if that is asked for.',
    auth: 'user',
    limit: 'write',
    reqSeq: 'request',
    args: [
      arg(
        'request',
        Type.Object({ reqSeq: ReqSeq, password: Password, newPassword: Password, endOtherSessions: Bool }),
      ),
    ],
    result: Empty,
    errors: ['INVALID_IDENTITY_CREDENTIAL'],
    emits: [
      refused,
      news('password-changed'),
      {
        type: 'SEND_ENCRYPTED_E2EE_KEY_REQUESTED',
        to: 'self',
        when: 'news is "revoked", id and about are those of the ended session; one for each',
      },
    ],
    origin: 'extension',
  }),
  'PrimaryDeviceService.changeIdentifiers': rpc({
    summary: 'Changes the user id, e-mail address or phone number, all at once; an empty one is removed.',
    auth: 'user',
    limit: 'identifier',
    reqSeq: 'request',
    args: [
      arg(
        'request',
        Type.Object({
          reqSeq: ReqSeq,
          password: Password,
          userid: optional(Text(320)),
          email: optional(Text(320)),
          phone: optional(Text(320)),
        }),
      ),
    ],
    result: OwnIdentifiers,
    errors: ['INVALID_IDENTITY_CREDENTIAL', 'INVALID_STATE', 'FEATURE_RESTRICTED'],
    emits: [
      refused,
      {
        type: 'UPDATE_PROFILE',
        to: 'self',
        when: 'attributes has the bit EMAIL if the e-mail address changed; changed has the new values',
      },
    ],
    origin: 'extension',
  }),
  'PrimaryDeviceService.deleteAccount': rpc({
    summary: 'Deletes the account as the operator can: every session ends at once, for good.',
    auth: 'user',
    limit: 'write',
    args: [arg('request', Type.Object({ password: Password }))],
    result: Empty,
    errors: ['INVALID_IDENTITY_CREDENTIAL', 'FEATURE_RESTRICTED'],
    emits: [
      refused,
      { type: 'NOTIFIED_UNREGISTER_USER', to: 'friends' },
      { type: 'NOTIFIED_UPDATE_CHAT', to: 'members' },
      { type: 'NOTIFIED_UPDATE_CHAT', to: 'invitees' },
      { type: 'NOTIFIED_DELETE_SELF_FROM_CHAT', to: 'members' },
      { type: 'NOTIFIED_LEAVE_CHAT', to: 'members' },
      { type: 'RECEIVE_MESSAGE', to: 'members', when: 'a system message' },
    ],
    origin: 'extension',
  }),
} as const;
