// The parts of the contract that need no schema at run time. They are small enough for a browser. The schemas are in
// `@sealpost/contract/schemas`.
export { accountDeleted } from './account-deleted.ts';
export type {
  AccountExport,
  ExportedChat,
  ExportedMedia,
  ExportedMessage,
  ExportedMessages,
  ExportedPicture,
} from './account-export.ts';
export { adminProofPath, adminRoot } from './admin-paths.ts';
export type { Chat, ChatUpdate, Room } from './chats.ts';
export { clientLimits, type LimitEntry } from './client-limits.ts';
export type { BuddyDetail, BuddyProfile, Contact, ContactEntry } from './contacts.ts';
export type { KeyChainHandover, PendingLogin, Session } from './devices.ts';
export * from './enums.ts';
export { errorNameOf } from './error-names.ts';
export { ApiError, always, type ErrorEntry, type ErrorName, type ExceptionName, errors } from './errors.ts';
export type { HttpEndpoint, HttpEndpointName, HttpVerb, ResponseForm } from './http-endpoint.ts';
export type {
  CopyForMessageRequest,
  HttpBody,
  HttpEndpoints,
  HttpQuery,
  HttpResult,
  LongPollJQResult,
  LongPollLF1Result,
  NoticeDocument,
  ObjectInfo,
  ObjectParameters,
  PlaybackInfo,
  ProfileUploadResult,
  TokenRefreshRequest,
} from './http-endpoints.ts';
export { type ChatMid, isMid, midPrefix, parseI64, type UserMid } from './ids.ts';
export type { KeyBackup, KeyBackupInfo } from './key-backup.ts';
export type { KeyLogEntry, KeyLogProof, KeyTreeHead } from './key-log.ts';
export {
  type FailureLimit,
  type FailureLimits,
  failureLimits,
  type LimitClass,
  type LimitName,
  type Limits,
  limits,
  type RateLimit,
  rateLimits,
  type SettableLimit,
} from './limits.ts';
export type {
  AccountKey,
  CreateQrCodeResult,
  E2EELoginMetadata,
  EncryptedIdentityV3,
  LoginRequest,
  LoginResult,
  QrCodeLoginRequest,
  QrCodeLoginResult,
  RSAKeyInfo,
  TokenV3IssueResult,
} from './login.ts';
export type { Location, Message, OutgoingMessage, Reaction, ReactionType } from './message.ts';
export type { MessageBox } from './messaging.ts';
export {
  type AppendedType,
  type NamedOperation,
  namedOperation,
  operationParameters,
  type Parameter,
  type ParametersOf,
  parameterKinds,
  wireParameters,
} from './operation-parameters.ts';
export { type DeviceNewsKind, deviceNewsKinds, type OperationTypeName, operationTypes } from './operation-types.ts';
export type { Operation } from './operations.ts';
export type { OwnIdentifiers } from './own-account.ts';
export type { AbuseMessageReport, Configurations, Profile } from './profile.ts';
export type { PushKey, PushSubscription, QuietHours } from './push.ts';
export type {
  Challenge,
  CheckedUserid,
  InviteState,
  Registered,
  RegistrationArgs,
  RegistrationEndpointName,
  RegistrationOffer,
  RegistrationResult,
  SeenInvite,
  Solution,
  SolvedChallenge,
} from './registration.ts';
export type { RegistrationMode } from './registration-names.ts';
export type { Contract, MethodArgs, MethodName, MethodResult } from './schemas.ts';
export type { E2EEGroupSharedKey, E2EENegotiationResult, E2EEPublicKey } from './sealing.ts';
export { sealingAttribute } from './sealing-attribute.ts';
export * from './services.ts';
export type { Settings, SettingsUpdate } from './settings.ts';
export { settingsAttributes } from './settings-attributes.ts';
export { type SettingsField, type SettingsFieldName, type SettingsKind, settingsFields } from './settings-fields.ts';
export type {
  ChannelToken,
  CustomizedImageTextRequest,
  NameTextProperty,
  ProductSummary,
  SticonOwnership,
} from './stickers.ts';
export type { FullSync, StreamEventData, StreamEventName, StreamTalkException } from './stream-events.ts';
export { talkCodes } from './talk-codes.ts';
export { type TriggerEvent, triggerEvents, workbenchRoot } from './workbench-names.ts';
