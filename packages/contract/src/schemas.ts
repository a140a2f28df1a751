// The runtime contract: every method with its schemas. Servers and tools import this; clients need only types.
import type { Static } from 'typebox';
import { messaging } from './messaging.ts';
import type { ArgsOf, Method } from './method.ts';

export const contract = { ...messaging } as const;

export type Contract = typeof contract;
export type MethodName = keyof Contract;
export type MethodArgs<N extends MethodName> = ArgsOf<Contract[N]['args']>;
export type MethodResult<N extends MethodName> = Static<Contract[N]['result']>;

export const methodNames = Object.keys(contract) as MethodName[];
/** A method's entry without its literal types. */
export const methodOf = (name: MethodName): Method => contract[name];
