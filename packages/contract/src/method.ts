import type { Static, TSchema } from 'typebox';
import type { ArgumentForm } from './argument-forms.ts';
import type { ErrorName } from './errors.ts';
import type { LimitClass } from './limits.ts';
import type { AppendedType } from './operation-parameters.ts';

/** One positional argument. Optional arguments may be left out at the end of the array. */
export interface Argument<S extends TSchema = TSchema, O extends boolean = boolean> {
  readonly name: string;
  readonly schema: S;
  readonly optional: O;
}

export const arg = <S extends TSchema>(name: string, schema: S): Argument<S, false> => ({
  name,
  schema,
  optional: false,
});
export const optionalArg = <S extends TSchema>(name: string, schema: S): Argument<S, true> => ({
  name,
  schema,
  optional: true,
});

/** Who may call. `user`: callers with a live session. `none`: everybody, for calls before login. */
export type Auth = 'user' | 'none';

/**
 * The place of the request sequence number: `first` is the first argument, `request` is a field of the request struct.
 */
export type ReqSeqPlace = 'first' | 'request';

/** An operation that the call appends, and the accounts whose logs get it. */
export interface Emission {
  readonly type: AppendedType;
  /**
   * The accounts whose log gets the operation:
   * - `self`: the caller; if a call has no caller, the account that the call is about
   * - `members`: the other members of the chat
   * - `invitees`: the users who are invited to the chat
   * - `target`: the user whom the call affects
   * - `party`: the other party of the chat
   * - `friends`: accounts that have the account `self` as a contact
   */
  readonly to: 'self' | 'members' | 'invitees' | 'target' | 'party' | 'friends';
  /**
   * The condition under which the operation is appended, or the meaning of its parameters. If absent, the operation is
   * always appended.
   */
  readonly when?: string;
}

export interface Method {
  readonly summary: string;
  readonly auth: Auth;
  readonly limit: LimitClass;
  /**
   * The list of what the call acts on: an argument, or a field of one as in `request.targetUserMids`. The rate limit
   * counts the call as one call for each item of this list.
   */
  readonly countsEach?: string;
  readonly args: readonly Argument[];
  /** Other forms of the arguments that existing clients send. The server tries them in this order. */
  readonly alsoTakes?: readonly ArgumentForm[];
  readonly result: TSchema;
  readonly errors: readonly ErrorName[];
  readonly reqSeq?: ReqSeqPlace;
  readonly emits?: readonly Emission[];
  /** True if the service is also served under `/api/api/…`. */
  readonly doubledPrefix?: true;
  /**
   * The reason why the method exists. `compatibility`: clients call it, but the specification does not list it.
   * `extension`: this project added it. Absent: the specification lists it.
   */
  readonly origin?: 'compatibility' | 'extension';
  /** Other paths at which the method is served. */
  readonly alsoAt?: readonly string[];
}

/** Declares one RPC method. Servers, clients and documents derive everything about the method from this entry. */
export const rpc = <const M extends Method>(method: M): M => method;

/** The positional arguments of a method, as a client sends them and a handler receives them. */
export type ArgsOf<A extends readonly Argument[]> = A extends readonly [
  infer H extends Argument,
  ...infer T extends readonly Argument[],
]
  ? H extends Argument<infer S, infer O>
    ? O extends true
      ? [(Static<S> | undefined)?, ...ArgsOf<T>]
      : [Static<S>, ...ArgsOf<T>]
    : never
  : [];
