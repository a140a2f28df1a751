// Endpoints of methods: each takes a JSON array of arguments and answers with the result in an envelope.
import { ApiError, always, limits } from '@sealpost/contract';
import type { Logger } from '../kernel/logger.ts';
import type { CrashPoint } from '../kernel/ports.ts';
import { canonicalArgs } from './argument-forms.ts';
import type { Authenticate, Proof } from './authentication.ts';
import { RawJson } from './call.ts';
import type { Endpoint } from './endpoint.ts';
import { isHttpError, success } from './envelope.ts';
import { parseJson } from './json.ts';
import type { RateLimits } from './rate-limit.ts';
import { requireRateOf } from './require-rate.ts';
import type { Route } from './routes.ts';
import { RpcCall } from './rpc-call.ts';
import { ContractBroken } from './strict-contract.ts';

export interface RpcRequestDeps {
  readonly routes: ReadonlyMap<string, Route>;
  readonly authenticate: Authenticate;
  readonly rates: RateLimits;
  readonly crashPoint: CrashPoint;
  readonly log: Logger;
  /** Fails calls whose result or error the contract does not declare, in tests and development. */
  readonly strict: boolean;
}

const declaredAlways = new Set<string>(always);

/** Returns the endpoints of all methods by their paths. */
export const rpcEndpoints = ({ routes, ...deps }: RpcRequestDeps): ReadonlyMap<string, Endpoint> =>
  new Map([...routes].map(([path, route]) => [path, endpointOf(route, deps)]));

function endpointOf(route: Route, deps: Omit<RpcRequestDeps, 'routes'>): Endpoint {
  const { method, name } = route;
  const proof: Proof = { signature: 'required', auth: method.auth, cookie: false };
  return {
    name,
    entry: method,
    verbs: { POST: method.limit },
    bodyBytes: limits.rpcBodyBytes.value,
    authenticate: (exchange, body) => deps.authenticate(exchange, body, proof),
    async handle(exchange, caller, body) {
      const parsed = parseJson(body, route.namesOf);
      if (!Array.isArray(parsed)) throw new ApiError('REQUEST_SCHEMA', 'the body must be a JSON array of arguments');
      const args = canonicalArgs(name, parsed);
      route.check(args);
      if (route.countItems) {
        requireRateOf(route.countItems(args), deps.rates, method.limit, caller, exchange.remoteAddress);
      }
      deps.crashPoint('request.validated');
      const result = await route.handler(new RpcCall(exchange, name, caller, args), ...args);
      const json = result instanceof RawJson ? result.json : JSON.stringify(result ?? null);
      if (deps.strict) requireDeclaredResult(route, json);
      return success(json);
    },
    toldOf(error) {
      if (!isDeclared(route, error)) {
        deps.log.error(
          { method: name, code: error.code },
          'a handler raised an error that its contract does not declare',
        );
        if (deps.strict) return new ApiError('UNKNOWN_ERROR', `${name} does not declare ${error.code}`);
      }
      return error;
    },
    declared: undefined,
  };
}

const isDeclared = ({ method }: Route, error: ApiError): boolean =>
  declaredAlways.has(error.code) || method.errors.some((code) => code === error.code) || isHttpError(error);

function requireDeclaredResult(route: Route, json: string): void {
  const value: unknown = JSON.parse(json);
  const validator = route.resultCheck();
  if (validator.Check(value)) return;
  throw new ContractBroken(
    `${route.name} answered what its contract does not declare: ${JSON.stringify(validator.Errors(value)[0])}`,
  );
}
