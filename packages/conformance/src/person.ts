// An account that the run created, with a session and the calls that checks make.
import {
  brandHeader,
  type ErrorName,
  httpPaths,
  type MethodArgs,
  type MethodName,
  type MethodResult,
  type Operation,
} from '@sealpost/contract';
import { Operation as OperationSchema } from '@sealpost/contract/schemas';
import type { RpcClient } from '@sealpost/sdk';
import { expectError, expectResult, expectSchema } from './answers.ts';
import { expectThat } from './mismatch.ts';
import type { RawClient } from './raw-client.ts';
import { type OpenStream, openStream } from './stream.ts';

export interface Person {
  readonly mid: string;
  readonly userid: string;
  readonly password: string;
  readonly token: string;
  /** An SDK client with the same session, for flows of several steps. */
  readonly client: RpcClient;
  /** Calls a method that must succeed. Checks the envelope and the result. */
  call<N extends MethodName>(method: N, ...args: MethodArgs<N>): Promise<MethodResult<N>>;
  /** Calls a method that must be refused with this error. Returns the reason in the answer. */
  refused<N extends MethodName>(error: ErrorName, method: N, ...args: MethodArgs<N>): Promise<string>;
  /** Sends a text and returns the stored message. */
  say(to: string, text: string): Promise<MethodResult<'TalkService.sendMessage'>>;
  /** Returns the next request sequence number of this session. */
  reqSeq(): number;
  revision(): Promise<string>;
  /** Opens a new stream after a revision, and returns the operations up to the newest one. */
  log(after: string): Promise<Operation[]>;
  stream(query: string, headers?: Readonly<Record<string, string>>): Promise<OpenStream>;
  /** Creates another session of the same account. */
  session(): Promise<Person>;
}

/** The parts from which a person is made: an account, a session, and a function that creates further sessions. */
export interface Identity {
  readonly mid: string;
  readonly userid: string;
  readonly password: string;
  readonly client: RpcClient;
  readonly session: () => Promise<Person>;
}

/** The lowest reqSeq that is an idempotency key. 0 and 1 are not, because some clients send them with every request. */
const FIRST_KEY = 2;

export function createPerson(raw: RawClient, identity: Identity): Person {
  const { client } = identity;
  const tokenOf = (): string => client.session?.tokens.accessToken ?? '';
  let lastReqSeq = FIRST_KEY - 1;
  const person: Person = {
    ...identity,
    get token() {
      return tokenOf();
    },
    call: async (method, ...args) => expectResult(method, await raw.call(method, args, tokenOf())),
    refused: async (error, method, ...args) =>
      expectError(`${method}${JSON.stringify(args)}`, await raw.call(method, args, tokenOf()), error),
    say: (to, text) => person.call('TalkService.sendMessage', person.reqSeq(), { to, text, contentType: 0 }),
    reqSeq: () => ++lastReqSeq,
    revision: () => person.call('TalkService.getLastOpRevision'),
    async log(after) {
      const head = await person.revision();
      if (BigInt(head) <= BigInt(after)) return [];
      const stream = await person.stream(`?localRev=${after}`);
      await stream.operation(({ revision }) => String(revision) === head);
      stream.close();
      return operationsOf(stream).filter(({ revision }) => BigInt(revision) <= BigInt(head));
    },
    stream: (query, headers = {}) =>
      openStream(raw.url, `${httpPaths.operationReceive}${query}`, {
        [brandHeader(raw.brand, 'access')]: tokenOf(),
        ...headers,
      }),
  };
  return person;
}

/**
 * Returns the operations that a stream has delivered so far. Checks that each operation fits its schema and that the
 * revisions rise.
 */
export function operationsOf(stream: OpenStream): Operation[] {
  const operations = stream.events().flatMap(({ name, data }) => (name === undefined ? [data] : []));
  let last = -1n;
  return operations.map((value) => {
    expectSchema('an operation', OperationSchema, value);
    const operation = value as unknown as Operation;
    const revision = BigInt(operation.revision);
    expectThat(revision > last, `a revision above ${last}: each operation comes once, in order`, operation.revision);
    last = revision;
    return operation;
  });
}
