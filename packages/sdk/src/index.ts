export { contentTypes, type NamedOperation, namedOperation, operationTypes } from '@sealpost/contract';
export type { Clock, Ports, Random, Timer, TimerOptions, Timers } from '@sealpost/contract/ports';
export { createRecoveryPassphrase } from '@sealpost/crypto';
export type { Channels } from './channels.ts';
export type { ChatMembers, Chats, NewGroup } from './chats/index.ts';
export { type Client, type ClientOptions, createClient } from './client.ts';
export type { Contacts, ProfileNotice } from './contacts/index.ts';
export { type DeviceNews, deviceNewsOf } from './devices/device-news.ts';
export type { DeviceScreen, Devices, KeyOffer } from './devices/index.ts';
export { AdminError } from './gateway/admin-error.ts';
export { GatewayError, NetworkError } from './gateway/errors.ts';
export type { DirectRequest, HttpCalls, ObjectOptions } from './gateway/http-calls.ts';
export { type ClientPorts, systemPorts } from './gateway/ports.ts';
export type { Session, SessionEvent, SessionStorage } from './gateway/session.ts';
export { type PassphraseStrength, passphraseStrength } from './key-backup/passphrase-strength.ts';
export type { Recovery, RecoveryStatus, RestoredBackup, StoredBackup } from './key-backup/recovery.ts';
export { RecoveryError, type RecoveryReason } from './key-backup/recovery-error.ts';
export type { AuditedKeyLog } from './key-log/audit.ts';
export { auditKeyLog } from './key-log/audit-key-log.ts';
export { KeyLogError } from './key-log/key-log-error.ts';
export type { OwnedKey } from './key-log/key-log-witness.ts';
export { indexedDbKeyStore } from './key-store/indexed-db-key-store.ts';
export { type KeyRecords, KeyStoreError } from './key-store/key-records.ts';
export {
  createKeyStore,
  type GroupKey,
  type KeyStore,
  type KeyStoreOptions,
  memoryKeyStore,
  type PeerKey,
} from './key-store/key-store.ts';
export { encryptCredential, type RsaKey } from './login/credential.ts';
export type { Credential } from './login/login.ts';
export { LoginError } from './login/login-error.ts';
export { readQrCode } from './login/qr-code.ts';
export type { QrLoginOptions, QrLoginStep } from './login/qr-login.ts';
export type { Media } from './media/index.ts';
export { MediaError, type MediaErrorReason } from './media/media-error.ts';
export type { OpenedMedia } from './media/open-media.ts';
export type { MediaKind, MediaPreview, MediaSource, OutgoingMedia } from './media/outgoing.ts';
export type { Retry } from './media/patience.ts';
export type { Picture } from './media/picture.ts';
export type { Progress, SendMediaOptions, TransferOptions } from './media/send-media.ts';
export { uploadPicture } from './media/upload-picture.ts';
export type { UploadStore } from './media/upload-store.ts';
export { type TextEmoji, withEmoji } from './messaging/emoji.ts';
export { type Mention, mentionsOf } from './messaging/mentions.ts';
export type { Reaction, SendFileOptions, SendOptions, SendTextOptions } from './messaging/messaging.ts';
export type { SearchOptions } from './messaging/search.ts';
export { Notices, type NoticesOptions, type NoticesPage } from './notices.ts';
export type { ConnectionState, OperationsOptions, StateChange, StreamEvent } from './operations.ts';
export type { Outbox, UploadProgress } from './outbox/outbox.ts';
export type { Outgoing, OutgoingState, SendFailureNote } from './outbox/outgoing.ts';
export { SendFailed } from './outbox/send-failed.ts';
export type { IdentifierChanges, OwnAccount, PasswordChange } from './own-account/index.ts';
export type { ProfileChanges, StatusMessage } from './profile/attributes.ts';
export type { Cover, OwnProfile } from './profile/index.ts';
export type { AccountSettings } from './profile/settings.ts';
export type { Push } from './push.ts';
export type { RegistrationVerbs } from './registration/create-registration.ts';
export type {
  CheckedUserid,
  Newcomer,
  RegistrationOffer,
  SeenInvite,
  SolvedChallenge,
  SolveOptions,
} from './registration/index.ts';
export type { ChatView } from './replica/chat-view.ts';
export type { ClientLimits } from './replica/client-limits.ts';
export type { Page, Replica, ReplicaChanges } from './replica/replica.ts';
export type { Draft, StoredMessage } from './replica/tables.ts';
export type { ReportReason, Reports } from './reports/index.ts';
export { createRpcClient, type RpcClient, type RpcClientOptions } from './rpc-client.ts';
export type { SealableMessage, SealedMedia } from './sealing/content.ts';
export type { GroupTrust } from './sealing/group-trust.ts';
export type { OpenedMessage, Sealing } from './sealing/open.ts';
export {
  type OpenFailure,
  openFailures,
  type PlainReason,
  plainReasons,
  SealingError,
  type SendFailure,
  sendFailures,
} from './sealing/reasons.ts';
export {
  createSealingClient,
  type OpenedEvent,
  type OpenedOperation,
  type OpeningStep,
  type OwnKeyState,
  type SealingClient,
  type SealingPreview,
} from './sealing/sealing-client.ts';
export type { SealedSendOptions, SentMessage } from './sealing/send.ts';
export type { SendMode } from './sealing/send-mode.ts';
export type { PackKind, Stickers, StickerText } from './stickers/index.ts';
export type { Certificates } from './store/certificates.ts';
export { browserStore, type ClientStore, clientStore, memoryStore } from './store/client-store.ts';
export { memoryState } from './store/memory-state.ts';
export { type Rows, type StateStore, StoreError } from './store/store.ts';
export type { ContactTrust } from './trust/contacts.ts';
export { type KeyNews, keyNewsOf } from './trust/key-news.ts';
export { KeyTrustError, type KeyTrustReason } from './trust/key-trust-error.ts';
export { SafetyNumberError } from './trust/safety-number-error.ts';
export type { KeyTrust, SealingExpected, Trust } from './trust/trust.ts';
export type { TrustEvent } from './trust/trust-events.ts';
export type { KnownKey, LogMemory, VerifiedContact } from './trust/trust-memory.ts';
export { createVerbs, type Verbs, type VerbsOptions } from './verbs.ts';
