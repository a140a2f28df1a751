// Maps paths to methods, as the contract declares them.
import { pathOf, type ServiceName } from '@sealpost/contract';
import { type Method, type MethodName, methodNames, methodOf } from '@sealpost/contract/schemas';
import type { Validator } from 'typebox/compile';
import { validatorOf } from '../kernel/validator-of.ts';
import { canonicalArgs } from './argument-forms.ts';
import type { Handler, Handlers } from './call.ts';
import { countedItems } from './counted-items.ts';
import type { ArgumentNames } from './json.ts';
import { type ArgumentCheck, argumentCheck } from './validate.ts';

type AnyHandler = (call: unknown, ...args: unknown[]) => unknown;

export interface Route {
  readonly name: MethodName;
  readonly method: Method;
  readonly check: ArgumentCheck;
  /**
   * Returns the names of arguments for errors. Returns no names for an older form of the arguments, because the
   * positions have other meanings in that form.
   */
  readonly namesOf: ArgumentNames;
  /** Returns the number of calls as which a call counts; undefined if every call of the method counts once. */
  readonly countItems: ReturnType<typeof countedItems>;
  readonly handler: AnyHandler;
  /**
   * Returns the check of results against the contract. The check is compiled on first use, because production never
   * uses the check.
   */
  readonly resultCheck: () => Validator;
}

export function rpcRoutes(handlers: Handlers): ReadonlyMap<string, Route> {
  const routes = new Map<string, Route>();
  for (const name of methodNames) {
    const method = methodOf(name);
    const handler = handlers[name] as Handler<typeof name> as AnyHandler;
    const route: Route = {
      name,
      method,
      check: argumentCheck(name),
      namesOf: (args) => (canonicalArgs(name, args) === args ? method.args : []),
      countItems: countedItems(method),
      handler,
      resultCheck: validatorOf(method.result),
    };
    const path = pathOf(name as `${ServiceName}.${string}`);
    routes.set(path, route);
    if (method.doubledPrefix) routes.set(`/api${path}`, route);
    for (const other of method.alsoAt ?? []) routes.set(other, route);
  }
  return routes;
}
