import type { Static, TSchema } from 'typebox';
import type { ArgumentForm } from './argument-forms.ts';
import type { ErrorName } from './errors.ts';
import type { LimitClass } from './limits.ts';
import type { AppendedType } from './operation-parameters.ts';

/** One positional argument. Optional ones may be left out from the end of the array. */
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

/**
 * Who may call: `user` needs a live session, `none` is for the calls before login.
 */
export type Auth = 'user' | 'none';

/** Where the call carries its request sequence number, if it has one. */
export type ReqSeqPlace = 'first' | 'request';

/** An operation that the call appends, and to whose log. */
export interface Emission {
  readonly type: AppendedType;
  /**
   * `self`: every session of the caller. `members`, `invitees`, `target`, `party`, `friends`: the other accounts
   * that the call concerns: members of the chat, its invitees, the user acted upon, the other party of the chat,
   * accounts that have the caller as a contact.
   */
  readonly to: 'self' | 'members' | 'invitees' | 'target' | 'party' | 'friends';
  /** In which case, or what its parameters say then; always, if absent. */
  readonly when?: string;
}

export interface Method {
  readonly summary: string;
  readonly auth: Auth;
  readonly limit: LimitClass;
  readonly args: readonly Argument[];
  /** Other forms of the arguments that existing clients send, in the order in which they are tried. */
  readonly alsoTakes?: readonly ArgumentForm[];
  readonly result: TSchema;
  readonly errors: readonly ErrorName[];
  readonly reqSeq?: ReqSeqPlace;
  readonly emits?: readonly Emission[];
  /** Served under `/api/api/…` too. */
  readonly doubledPrefix?: true;
  /** `specification` unless clients call it and the specification does not list it, or it is ours. */
  readonly origin?: 'compatibility' | 'extension';
  /** Other paths that the method answers on. */
  readonly alsoAt?: readonly string[];
}

/** Declares one RPC method. Everything else about it is derived from this entry. */
export const rpc = <const M extends Method>(method: M): M => method;

/** The positional arguments of a method, as a handler receives and a client sends them. */
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
