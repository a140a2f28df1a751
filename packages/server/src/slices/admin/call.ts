// Types of the handlers of the admin API.
import type { AdminArgs, AdminEndpointName, AdminResult } from '@sealpost/contract/admin';

/** The handler of an endpoint. Its arguments were checked against the contract. */
export type AdminHandler<N extends AdminEndpointName> = (
  args: AdminArgs<N>,
) => Promise<AdminResult<N>> | AdminResult<N>;

/** The handlers of the named endpoints; by default of all endpoints. */
export type AdminHandlers<N extends AdminEndpointName = AdminEndpointName> = {
  readonly [M in N]: AdminHandler<M>;
};

/** The operator's name as an actor in the audit log. */
export const operator = 'admin';
