// Serves the registration API. The plugin is registered under `registrationRoot`.
import type { IncomingMessage } from 'node:http';
import { registrationEndpoints } from '@sealpost/contract/registration';
import type { FastifyPluginAsync } from 'fastify';
import type { ClientAddress } from '../../platform/http/client-address.ts';
import { type JsonRoutesOptions, jsonRoutes } from '../../platform/json-api/json-routes.ts';
import { Problem } from '../../platform/json-api/problem.ts';
import { addressBlock } from '../../platform/kernel/address-block.ts';
import type { SecurityEvents } from '../../platform/kernel/security-events.ts';
import { RateExceeded } from '../../platform/rpc/rate-exceeded.ts';
import type { RateLimits } from '../../platform/rpc/rate-limit.ts';
import { problemOf } from './refusals.ts';
import type { RegistrationHandlers } from './registration.ts';

export interface RegistrationRoutesDeps extends Pick<JsonRoutesOptions<string>, 'onFault' | 'strict' | 'corsHeaders'> {
  readonly handlers: RegistrationHandlers;
  readonly clientAddress: ClientAddress;
  readonly rates: RateLimits;
  readonly events: SecurityEvents;
}

export function registrationRoutes(deps: RegistrationRoutesDeps): FastifyPluginAsync {
  const { handlers, clientAddress, rates, events, ...options } = deps;

  /** Throws if an address makes too many calls; otherwise returns the address. */
  function gate(request: IncomingMessage): string {
    const address = clientAddress(request);
    const turn = rates.take('registration', addressBlock(address));
    if (turn.ok) return address;
    throw noted(address, new RateExceeded('too many calls of the class registration', turn.retryAfterMs));
  }

  /** Records the security event of an error if it has one, and returns the error. */
  function noted(address: string, error: unknown): unknown {
    if (error instanceof RateExceeded) events.note('limit', address);
    if (error instanceof Problem && error.body.status === 404) events.note('wrong-invite', address);
    return error;
  }

  type Handler = (args: never, address: string) => unknown;
  const noting = (handler: Handler) => async (args: never, address: string) => {
    try {
      return await handler(args, address);
    } catch (error) {
      throw noted(address, error);
    }
  };
  return jsonRoutes({
    ...options,
    api: 'registration',
    endpoints: registrationEndpoints,
    handlers: Object.fromEntries(Object.entries<Handler>(handlers).map(([name, handler]) => [name, noting(handler)])),
    gate,
    problemOf,
  });
}
