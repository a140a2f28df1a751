// Serves the admin API. The plugin is registered under `adminRoot`.
import { type AdminEndpointName, adminEndpoints } from '@sealpost/contract/admin';
import type { FastifyPluginAsync } from 'fastify';
import { type JsonRoutesOptions, jsonRoutes } from '../../platform/json-api/json-routes.ts';
import { Problem } from '../../platform/json-api/problem.ts';
import { RateExceeded } from '../../platform/rpc/rate-exceeded.ts';
import { AccountConflict, InvalidAccount } from '../accounts/index.ts';
import { type AccountAdminDeps, accountAdminHandlers, type OwnEndpoint } from './account-handlers.ts';
import type { AdminCaller, AdminHandlers } from './call.ts';
import { type AdminGateDeps, createAdminGate } from './gate.ts';

/** The admin endpoints whose handlers are in other slices. */
export type OtherEndpoint = Exclude<AdminEndpointName, OwnEndpoint>;

export interface AdminDeps
  extends AdminGateDeps,
    AccountAdminDeps,
    Pick<JsonRoutesOptions<AdminCaller>, 'onFault' | 'strict'> {
  /** The handlers of other slices. Tests of the account endpoints leave them out. */
  readonly others: Partial<AdminHandlers<OtherEndpoint>>;
}

export const adminRoutes = (deps: AdminDeps): FastifyPluginAsync =>
  jsonRoutes({
    api: 'admin',
    endpoints: adminEndpoints,
    handlers: { ...accountAdminHandlers(deps), ...deps.others },
    gate: createAdminGate(deps),
    problemOf,
    onFault: deps.onFault,
    strict: deps.strict,
  });

function problemOf(error: unknown): Problem | undefined {
  if (error instanceof RateExceeded) {
    return new Problem(429, error.message, { retryAfter: Math.ceil(error.retryAfterMs / 1000) });
  }
  if (error instanceof InvalidAccount) return new Problem(400, error.message, { errors: error.errors });
  return error instanceof AccountConflict ? new Problem(409, error.message, { field: error.field }) : undefined;
}
