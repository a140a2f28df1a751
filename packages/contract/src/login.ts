// Login and identity (specification: Endpoints, Login and identity).
import Type, { type Static } from 'typebox';
import { featureTypes, loginResultTypes, loginTypes } from './enums.ts';
import { arg, optionalArg, rpc } from './method.ts';
import { Base64, Bool, Empty, I32, I64Text, Mid, Nothing, NumericEnum, optional, Text } from './schema.ts';

const AuthSessionId = Type.String({
  minLength: 1,
  maxLength: 128,
  description: 'id of the QR login, known only to the device that began it; the code shows another id',
});
const Verifier = Type.String({ maxLength: 512, description: 'id of one attempt to log in' });
const Certificate = Type.String({ maxLength: 256, description: '64 hex digits, or empty' });
const DeviceName = Text(200);

export const RefreshApiRetryPolicy = Type.Object(
  {
    initialDelayInMillis: I64Text,
    maxDelayInMillis: I64Text,
    multiplier: Type.Number(),
    jitterRate: Type.Number(),
  },
  { title: 'RefreshApiRetryPolicy' },
);

export const TokenV3IssueResult = Type.Object(
  {
    accessToken: Type.String(),
    refreshToken: Type.String(),
    durationUntilRefreshInSec: I64Text,
    refreshApiRetryPolicy: RefreshApiRetryPolicy,
    loginSessionId: Type.String(),
    tokenIssueTimeEpochSec: I64Text,
  },
  { title: 'TokenV3IssueResult' },
);
export type TokenV3IssueResult = Static<typeof TokenV3IssueResult>;

/** The key chain that the primary device hands to a new device. */
export const E2EELoginMetadata = Type.Object(
  {
    errorCode: optional(Type.String()),
    e2eeVersion: optional(Type.String()),
    keyId: optional(
      Type.Union([I64Text, Type.Integer()], {
        description: 'a decimal string, or a number to a client that sends the client version under its first name',
      }),
    ),
    publicKey: optional(Base64),
    encryptedKeyChain: optional(Base64),
  },
  { title: 'E2EELoginMetadata' },
);
export type E2EELoginMetadata = Static<typeof E2EELoginMetadata>;

/**
 * The newest key of the account. A new device learns this public key before another device sends it the private keys.
 */
export const AccountKey = Type.Object({ keyId: Type.Integer(), publicKey: Base64 }, { title: 'AccountKey' });
export type AccountKey = Static<typeof AccountKey>;

export const LoginRequest = Type.Object(
  {
    type: NumericEnum('LoginType', loginTypes),
    identityProvider: optional(I32),
    identifier: optional(Text(200)),
    password: optional(Text(4096)),
    keepLoggedIn: optional(Bool),
    accessLocation: optional(Text(200)),
    systemName: optional(DeviceName),
    certificate: optional(Certificate),
    verifier: optional(Verifier),
    secret: optional(Text(256)),
    e2eeVersion: optional(I32),
    modelName: optional(DeviceName),
  },
  { title: 'LoginRequest' },
);
export type LoginRequest = Static<typeof LoginRequest>;

export const LoginResult = Type.Object(
  {
    type: NumericEnum('LoginResultType', loginResultTypes),
    certificate: optional(Type.String()),
    tokenV3IssueResult: optional(TokenV3IssueResult),
    verifier: optional(Type.String()),
    pinCode: optional(Type.String()),
    displayMessage: optional(Type.String()),
    /**
     * This field is never set, because the poll LF1 has already delivered the key chain. The server deletes the chain
     * once the device has proved that it received the chain.
     */
    metadata: optional(E2EELoginMetadata),
    accountKey: optional(AccountKey),
    mid: optional(Mid),
    lastPrimaryBindTime: optional(I64Text),
  },
  { title: 'LoginResult' },
);
export type LoginResult = Static<typeof LoginResult>;

export const RSAKeyInfo = Type.Object(
  {
    keynm: Type.String(),
    nvalue: Type.String({ description: 'modulus of the key in hex' }),
    evalue: Type.String({ description: 'public exponent in hex' }),
    sessionKey: Type.String(),
  },
  { title: 'RSAKeyInfo' },
);
export type RSAKeyInfo = Static<typeof RSAKeyInfo>;

export const EncryptedIdentityV3 = Type.Object(
  { wrappedNonce: Base64, kdfParameter1: Base64, kdfParameter2: Base64 },
  { title: 'EncryptedIdentityV3' },
);
export type EncryptedIdentityV3 = Static<typeof EncryptedIdentityV3>;

export const CreateQrCodeResult = Type.Object(
  { callbackUrl: Type.String(), longPollingIntervalSec: I32, longPollingMaxCount: I32 },
  { title: 'CreateQrCodeResult' },
);
export type CreateQrCodeResult = Static<typeof CreateQrCodeResult>;

export const QrCodeLoginRequest = Type.Object(
  {
    authSessionId: AuthSessionId,
    systemName: optional(DeviceName),
    modelName: optional(DeviceName),
    autoLoginIsRequired: optional(Bool),
  },
  { title: 'QrCodeLoginRequest' },
);
export type QrCodeLoginRequest = Static<typeof QrCodeLoginRequest>;

export const QrCodeLoginResult = Type.Object(
  {
    certificate: Type.String(),
    metaData: optional(E2EELoginMetadata),
    tokenV3IssueResult: TokenV3IssueResult,
    mid: optional(Mid),
    lastBindTimestamp: optional(I64Text),
  },
  { title: 'QrCodeLoginResult' },
);
export type QrCodeLoginResult = Static<typeof QrCodeLoginResult>;

const session = arg('request', Type.Object({ authSessionId: AuthSessionId }));

export const login = {
  'AuthService.loginV2': rpc({
    summary: 'Logs in with a credential, or finishes a login that another device confirmed.',
    auth: 'none',
    limit: 'login',
    args: [arg('loginRequest', LoginRequest)],
    result: LoginResult,
    errors: [
      'AUTHENTICATION_FAILED',
      'INVALID_STATE',
      'INVALID_IDENTITY_CREDENTIAL',
      'NOT_ALLOWED_SECONDARY_DEVICE',
      'FEATURE_RESTRICTED',
      'E2EE_SENDER_NOT_ALLOWED',
      'E2EE_UPDATE_PRIMARY_DEVICE',
      'E2EE_PRIMARY_NOT_SUPPORT',
    ],
    emits: [
      {
        type: 'SEND_ENCRYPTED_E2EE_KEY_REQUESTED',
        to: 'self',
        when: 'news is "pending", id is that of the login, about is a PendingLogin',
      },
      {
        type: 'SEND_ENCRYPTED_E2EE_KEY_REQUESTED',
        to: 'self',
        when: 'news is "approved", id is that of the login session, about is a Session',
      },
      {
        type: 'SEND_ENCRYPTED_E2EE_KEY_REQUESTED',
        to: 'self',
        when: 'news is "failed" after a wrong password, id says how many within a day, about is a PendingLogin',
      },
    ],
  }),
  'AuthService.logoutV2': rpc({
    summary: 'Ends the session of the call; its stream gets talkException and closes.',
    auth: 'user',
    limit: 'write',
    args: [],
    result: Nothing,
    errors: [],
  }),
  'AuthService.confirmE2EELogin': rpc({
    summary: 'Proves that the new device opened the key chain, and returns a new verifier.',
    auth: 'none',
    limit: 'login',
    args: [arg('verifier', Verifier), arg('deviceSecret', Text(1024))],
    result: Type.String(),
    errors: ['AUTHENTICATION_FAILED', 'INVALID_STATE', 'INVALID_IDENTITY_CREDENTIAL'],
    emits: [
      {
        type: 'SEND_ENCRYPTED_E2EE_KEY_REQUESTED',
        to: 'self',
        when: 'news is "denied", id is that of the login, about is a PendingLogin',
      },
    ],
  }),
  'TalkService.getRSAKeyInfo': rpc({
    summary: 'Returns a key that encrypts one credential and can be used once.',
    auth: 'none',
    limit: 'key',
    args: [optionalArg('provider', I32)],
    result: RSAKeyInfo,
    errors: [],
  }),
  'TalkService.getEncryptedIdentityV3': rpc({
    summary: 'Returns the values, stable per account, from which a client derives the key of its local storage.',
    auth: 'user',
    limit: 'read',
    args: [],
    result: EncryptedIdentityV3,
    errors: [],
  }),
  'TalkService.acquireEncryptedAccessToken': rpc({
    summary:
      'Returns the token for object storage and its life in seconds, joined by the record separator, the life first.',
    auth: 'user',
    limit: 'read',
    args: [arg('featureType', NumericEnum('FeatureType', featureTypes))],
    result: Type.String(),
    errors: [],
  }),
  'SecondaryQrCodeLoginService.createSession': rpc({
    summary: 'Starts a QR login.',
    auth: 'none',
    limit: 'key',
    args: [optionalArg('request', Empty)],
    result: Type.Object({ authSessionId: Type.String() }),
    errors: ['QR_NOT_ALLOWED'],
  }),
  'SecondaryQrCodeLoginService.createQrCode': rpc({
    summary: 'Returns the address that the QR code shows, and how to poll.',
    auth: 'none',
    limit: 'login',
    args: [session],
    result: CreateQrCodeResult,
    errors: ['QR_ILLEGAL_ARGUMENT', 'QR_INVALID_CONTEXT'],
  }),
  'SecondaryQrCodeLoginService.verifyCertificate': rpc({
    summary: 'Presents the certificate of an earlier login. With a valid one no PIN is needed.',
    auth: 'none',
    limit: 'login',
    args: [arg('request', Type.Object({ authSessionId: AuthSessionId, certificate: optional(Certificate) }))],
    result: Empty,
    errors: ['QR_ILLEGAL_ARGUMENT', 'QR_VERIFICATION_FAILED', 'QR_RETRY_LATER', 'QR_INVALID_CONTEXT'],
  }),
  'SecondaryQrCodeLoginService.createPinCode': rpc({
    summary: 'Returns a PIN that the user types on the primary device.',
    auth: 'none',
    limit: 'login',
    args: [session],
    result: Type.Object({ pinCode: Type.String(), accountKey: optional(AccountKey) }),
    errors: ['QR_ILLEGAL_ARGUMENT', 'QR_RETRY_LATER', 'QR_INVALID_CONTEXT'],
  }),
  'SecondaryQrCodeLoginService.qrCodeLoginV2': rpc({
    summary: 'Finishes a QR login and returns tokens and the sealed key chain.',
    auth: 'none',
    limit: 'login',
    args: [arg('request', QrCodeLoginRequest)],
    result: QrCodeLoginResult,
    errors: ['QR_INTERNAL_ERROR', 'QR_ILLEGAL_ARGUMENT', 'QR_NOT_ALLOWED', 'QR_RETRY_LATER', 'QR_INVALID_CONTEXT'],
    emits: [
      {
        type: 'SEND_ENCRYPTED_E2EE_KEY_REQUESTED',
        to: 'self',
        when: 'news is "approved", id is that of the login session, about is a Session',
      },
    ],
  }),
  'SecondaryQrCodeLoginPermitNoticeService.checkQrCodeVerified': rpc({
    summary: 'Waits until the primary device has scanned and confirmed the QR code.',
    auth: 'none',
    limit: 'login',
    args: [session],
    result: Empty,
    errors: ['POLL_GONE', 'QR_ILLEGAL_ARGUMENT', 'QR_INVALID_CONTEXT'],
  }),
  'SecondaryQrCodeLoginPermitNoticeService.checkPinCodeVerified': rpc({
    summary: 'Waits until the PIN was typed on the primary device.',
    auth: 'none',
    limit: 'login',
    args: [session],
    result: Empty,
    errors: ['POLL_GONE', 'QR_ILLEGAL_ARGUMENT', 'QR_RETRY_LATER', 'QR_INVALID_CONTEXT'],
  }),
} as const;
