// Types of the handlers of the admin API.
import type { AdminArgs, AdminEndpointName, AdminResult, LoginState } from '@sealpost/contract/admin';

/** A session of an administrator, who may not have finished the login. */
export interface CallerSession {
  readonly id: number;
  readonly administratorId: number;
  /** The name of the administrator. */
  readonly administrator: string;
  readonly state: Exclude<LoginState['state'], 'none'>;
  readonly expiresTime: number;
}

/** The caller of an admin endpoint. */
export interface AdminCaller {
  /** The caller's name in the audit log: `admin-token`, `token:<name>`, `administrator:<name>`, or `anybody`. */
  readonly actor: string;
  /** The session of the request's cookie. Absent if the caller sent a token. */
  readonly session?: CallerSession | undefined;
  readonly address: string;
  readonly userAgent: string;
  readonly setCookie: (cookie: string) => void;
}

/**
 * The handler of an endpoint. It receives arguments that were already checked against the contract, from a caller who
 * may call the endpoint.
 */
export type AdminHandler<N extends AdminEndpointName> = (
  args: AdminArgs<N>,
  caller: AdminCaller,
) => Promise<AdminResult<N>> | AdminResult<N>;

/** The handlers of the named endpoints; by default of all endpoints. */
export type AdminHandlers<N extends AdminEndpointName = AdminEndpointName> = {
  readonly [M in N]: AdminHandler<M>;
};
