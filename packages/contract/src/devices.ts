// The methods for a device that confirms the login of another device, and for the sessions of an account. The
// specification does not define these methods.
import Type, { type Static } from 'typebox';
import { field } from './argument-forms.ts';
import { loginTypes } from './enums.ts';
import { arg, rpc } from './method.ts';
import { Base64, Bool, Empty, I64Text, list, NumericEnum, optional, Text } from './schema.ts';

export const pendingLoginKinds = ['QR', 'CREDENTIAL'] as const;
/**
 * The states of a login. `waiting`: not yet scanned or approved. `scanned`: the account is known. `approved`: another
 * device has approved the login, but the PIN or the last step is missing.
 */
export const pendingLoginStates = ['waiting', 'scanned', 'approved', 'verified', 'denied'] as const;

/**
 * The incomplete login of a device. `secret` is set for a credential login with sealing; the new device sent it for the
 * key exchange.
 */
export const PendingLogin = Type.Object(
  {
    loginId: Type.String(),
    kind: Type.Enum([...pendingLoginKinds]),
    loginType: NumericEnum('LoginType', loginTypes),
    systemName: Type.String(),
    modelName: Type.String(),
    remoteAddress: Type.String(),
    requestedTime: I64Text,
    expiresTime: I64Text,
    state: Type.Enum([...pendingLoginStates]),
    secret: optional(Type.String()),
  },
  { title: 'PendingLogin' },
);
export type PendingLogin = Static<typeof PendingLogin>;

/** The key chain, sealed for the new device. */
export const KeyChainHandover = Type.Object(
  {
    keyId: Type.Union([Text(20), Type.Integer()]),
    publicKey: Text(256),
    encryptedKeyChain: Base64,
    e2eeVersion: Type.Union([Text(4), Type.Integer()]),
    hashKeyChain: Type.String({
      maxLength: 64,
      description: 'base64 of 16 bytes: the deviceSecret that confirmE2EELogin of the new device must show',
    }),
  },
  { title: 'KeyChainHandover' },
);
export type KeyChainHandover = Static<typeof KeyChainHandover>;

export const Session = Type.Object(
  {
    loginSessionId: Type.String(),
    systemName: Type.String(),
    modelName: Type.String(),
    name: Type.String(),
    remoteAddress: Type.String(),
    createdTime: I64Text,
    lastSeenTime: I64Text,
    current: Bool,
  },
  { title: 'Session' },
);
export type Session = Static<typeof Session>;

const id = { minLength: 1, maxLength: 128 };
const SessionId = Type.String(id);
const LoginId = Type.String({
  ...id,
  description: 'id of a PendingLogin; for a QR login it is the last part of the path in the code',
});
const PinCode = Text(16);
const news = (when: string) => [{ type: 'SEND_ENCRYPTED_E2EE_KEY_REQUESTED', to: 'self', when }] as const;

export const devices = {
  'PrimaryDeviceService.getPendingLogins': rpc({
    summary: 'Returns the devices that wait to be let into the account.',
    auth: 'user',
    limit: 'read',
    args: [],
    result: list(PendingLogin),
    errors: [],
    origin: 'extension',
  }),
  'PrimaryDeviceService.scanQrCode': rpc({
    summary: 'Binds a QR login to the account, once. It grants nothing yet.',
    auth: 'user',
    limit: 'write',
    args: [arg('request', Type.Object({ loginId: LoginId }))],
    alsoTakes: [
      {
        description: 'the field loginId under the name authSessionId',
        example: [{ authSessionId: 'SQ00000000000000000000000000000001' }],
        matches: ([request]) =>
          field(request, 'authSessionId') !== undefined && field(request, 'loginId') === undefined,
        canonical: ([request]) => [{ loginId: field(request, 'authSessionId') }],
      },
    ],
    result: PendingLogin,
    errors: ['NOT_FOUND', 'INVALID_STATE', 'FEATURE_RESTRICTED', 'NOT_ALLOWED_SECONDARY_DEVICE'],
    emits: news('news is "pending", id is that of the login, about is a PendingLogin'),
    origin: 'extension',
  }),
  'PrimaryDeviceService.approveLogin': rpc({
    summary:
      'Lets a device in and hands it the sealed key chain. A credential login needs the PIN that the device shows.',
    auth: 'user',
    limit: 'write',
    args: [
      arg('request', Type.Object({ loginId: LoginId, pinCode: optional(PinCode), e2ee: optional(KeyChainHandover) })),
    ],
    result: Empty,
    errors: ['NOT_FOUND', 'INVALID_STATE', 'INVALID_PIN_CODE'],
    emits: news(
      'news is "approved", or "denied" after the fifth wrong PIN; id is that of the login, about is a PendingLogin',
    ),
    origin: 'extension',
  }),
  'PrimaryDeviceService.submitPinCode': rpc({
    summary: 'Confirms a QR login with the PIN that it shows and the sealed key chain. Five wrong PINs end the login.',
    auth: 'user',
    limit: 'write',
    args: [arg('request', Type.Object({ loginId: LoginId, pinCode: PinCode, e2ee: optional(KeyChainHandover) }))],
    result: Empty,
    errors: ['NOT_FOUND', 'INVALID_STATE', 'INVALID_PIN_CODE'],
    emits: news('news is "denied" after the fifth wrong PIN; id is that of the login, about is a PendingLogin'),
    origin: 'extension',
  }),
  'PrimaryDeviceService.denyLogin': rpc({
    summary: 'Refuses a device; its polls end.',
    auth: 'user',
    limit: 'write',
    args: [arg('request', Type.Object({ loginId: LoginId }))],
    result: Empty,
    errors: ['NOT_FOUND', 'INVALID_STATE'],
    emits: news('news is "denied", id is that of the login, about is a PendingLogin'),
    origin: 'extension',
  }),
  'PrimaryDeviceService.getSessions': rpc({
    summary: 'Returns the sessions of the account.',
    auth: 'user',
    limit: 'read',
    args: [],
    result: list(Session),
    errors: [],
    origin: 'extension',
  }),
  'PrimaryDeviceService.renameSession': rpc({
    summary: 'Renames a session.',
    auth: 'user',
    limit: 'write',
    args: [arg('request', Type.Object({ loginSessionId: SessionId, name: Text(100) }))],
    result: Empty,
    errors: ['NOT_FOUND'],
    origin: 'extension',
  }),
  'PrimaryDeviceService.revokeSession': rpc({
    summary: 'Ends a session of the account. Logins that it approved and that have not finished end too.',
    auth: 'user',
    limit: 'write',
    args: [arg('request', Type.Object({ loginSessionId: SessionId }))],
    result: Empty,
    errors: ['NOT_FOUND'],
    emits: news('news is "revoked", id is that of the login session, about is a Session'),
    origin: 'extension',
  }),
  'PrimaryDeviceService.revokeOtherSessions': rpc({
    summary:
      'Ends all sessions of the account except the one that calls, and the unfinished logins that they approved.',
    auth: 'user',
    limit: 'write',
    args: [],
    result: Empty,
    errors: [],
    emits: news('news is "revoked", id is that of the login session, about is a Session; one for each'),
    origin: 'extension',
  }),
} as const;
