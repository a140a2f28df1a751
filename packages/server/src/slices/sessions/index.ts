// Sessions and their tokens: the exports of the slice.

export { type Certificates, type ClientKind, clientKindOf, createCertificates } from './certificates.ts';
export { createTellDevices, sessionView, type TellDevices } from './device-news.ts';
export { type CookieOptions, clearLctCookie, lctCookie } from './lct-cookie.ts';
export type { CertificateRow, SessionRow } from './queries.ts';
export { ACCOUNT_DELETED, LOGGED_OUT, type RevokeListener } from './revocations.ts';
export { instanceId, instanceIdFrom, loadServerSecret, type ServerSecret } from './server-secret.ts';
export type { SessionOptions } from './session-options.ts';
export type { SessionTokens } from './session-tokens.ts';
export { createSessions, type NewSession, type Sessions, type SessionsDeps } from './sessions.ts';
