// What a handler of the admin API receives and returns.
import type { AdminArgs, AdminEndpointName, AdminResult } from '@sealpost/contract/admin';

/** The handler of an endpoint: it receives the arguments by name, checked. */
export type AdminHandler<N extends AdminEndpointName> = (
  args: AdminArgs<N>,
) => Promise<AdminResult<N>> | AdminResult<N>;

/** The handlers of some endpoints, of all if none are named. */
export type AdminHandlers<N extends AdminEndpointName = AdminEndpointName> = {
  readonly [M in N]: AdminHandler<M>;
};

/** Who acts, in the audit log. */
export const operator = 'admin';
