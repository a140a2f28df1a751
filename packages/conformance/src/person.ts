// An account of the run with a session, and what it does to the server.
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
import type { Client } from '@sealpost/sdk';
import { expectError, expectResult, expectSchema } from './answers.ts';
import { expectThat } from './mismatch.ts';
import type { RawClient } from './raw-client.ts';
import { type OpenStream, openStream } from './stream.ts';

export interface Person {
  readonly mid: string;
  readonly userid: string;
  readonly password: string;
  readonly token: string;
  /** The same session in the SDK, for flows of several steps. */
  readonly client: Client;
  /** Calls a method that must succeed; envelope and result are checked. */
  call<N extends MethodName>(method: N, ...args: MethodArgs<N>): Promise<MethodResult<N>>;
  /** Calls a method that must be refused with this error; answers the reason. */
  refused<N extends MethodName>(error: ErrorName, method: N, ...args: MethodArgs<N>): Promise<string>;
  /** Sends a text; answers the stored message. */
  say(to: string, text: string): Promise<MethodResult<'TalkService.sendMessage'>>;
  /** The next request sequence number of this session. */
  reqSeq(): number;
  revision(): Promise<string>;
  /** The operations after a revision, as the stream replays them. */
  log(after: string): Promise<Operation[]>;
  stream(query: string, headers?: Readonly<Record<string, string>>): Promise<OpenStream>;
  /** Another session of the same account. */
  session(): Promise<Person>;
}

/** What a person is made of: its account, a session of it, and the way to further ones. */
export interface Identity {
  readonly mid: string;
  readonly userid: string;
  readonly password: string;
  readonly client: Client;
  readonly session: () => Promise<Person>;
}

/** Below 2 a reqSeq is no key; careless clients send 0 and 1 over and over. */
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

/** The operations that a stream brought so far: each fits its schema, and revisions rise. */
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
