// The operator's client for the admin API of one server. Its types come from the contract.
import {
  type AdminArgs,
  type AdminEndpointName,
  type AdminResult,
  adminEndpoints,
  adminRoot,
} from '@sealpost/contract/admin';
import { type CallArguments, createJsonClient, type SendJson, sendTo } from './gateway/json-client.ts';

export type {
  Account,
  AccountCheck,
  AccountLogin,
  AccountOverview,
  AccountSession,
  AdminArgs,
  AdminEndpointName,
  Administrator,
  AdminResult,
  AdminSession,
  AdminToken,
  AuditAction,
  AuditEntry,
  Certificate,
  CreatedInvite,
  Invite,
  LoginState,
  Notice,
  Product,
  PublishedKey,
  Report,
  SecondFactor,
  ServerSetting,
  ServerStatus,
  StatusSample,
  TokenScope,
} from '@sealpost/contract/admin';
export { type AdminAnswer, AdminError } from './gateway/admin-error.ts';
export { type CallArguments, createJsonClient, type JsonRequest, sendTo } from './gateway/json-client.ts';

export interface AdminClientOptions {
  /** The address of the server, without a path. A page that the server itself serves may leave the address out. */
  readonly url?: string;
  /**
   * The server's `admin-token`, or a token that an administrator made. Keep it where nobody else can read it. A page
   * that the server itself serves needs no token, because a login gives a cookie to its browser.
   */
  readonly token?: string;
  /**
   * Sends a request; default: `fetch`. The function must not follow redirects, which would send the token to another
   * server.
   */
  readonly send?: SendJson;
}

/**
 * One method for each endpoint of the admin API, with the endpoint's name. Each method takes one object with all
 * arguments by name, whether they belong to the path, the query or the body. It returns the result. A refused call
 * throws `AdminError`; a call without an answer throws `NetworkError`.
 */
export type AdminClient = {
  readonly [N in AdminEndpointName]: (...args: CallArguments<AdminArgs<N>>) => Promise<AdminResult<N>>;
};

/** Creates the operator's client. It sends nothing before the first call. */
export const createAdminClient = ({ url = '', token, send = sendTo(url) }: AdminClientOptions = {}): AdminClient =>
  createJsonClient({
    root: adminRoot,
    endpoints: adminEndpoints,
    headers: token === undefined ? {} : { Authorization: `Bearer ${token}` },
    send,
  }) as AdminClient;
