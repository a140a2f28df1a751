// Strict mode for tests and development: a call fails if the server breaks the contract. Production does not run this
// code.
import { AsyncLocalStorage } from 'node:async_hooks';
import { type Emission, Nothing } from '@sealpost/contract/schemas';
import type { TSchema } from 'typebox';
import { validatorOf } from '../kernel/validator-of.ts';
import type { Store, Tx } from '../store/store.ts';
import type { Heads, NewOperation, OperationLog } from '../stream/operation-log.ts';

/** Error for an operation or a result of the server that the contract does not declare. */
export class ContractBroken extends Error {
  override name = 'ContractBroken';
}

/** An operation that a call appended, in the terms of the contract's `emits`. */
export interface Emitted extends Pick<Emission, 'type' | 'to'> {
  /** The name of the endpoint; empty if no call appended the operation. */
  readonly endpoint: string;
  /** The account in whose log the operation is, and its number there. */
  readonly accountId: number;
  readonly revision: number;
}

/** A listener for the operations of one call. */
interface Hearer {
  appended(emitted: Emitted): Promise<void>;
}

interface RunningCall {
  readonly endpoint: string;
  readonly emits: readonly Emission[];
  /**
   * The account that counts as `self`: the caller's account. If there is no caller, the account of the first operation
   * to `self`.
   */
  self: number | undefined;
  readonly hearer: Hearer | undefined;
  /** Resolves when the hearer has noted each operation so far. */
  heard?: Promise<void>;
  broken?: ContractBroken;
}

/** An endpoint, with the operations that it may append. */
interface Declared {
  readonly name: string;
  readonly entry: { readonly emits?: readonly Emission[] };
}

/** The calls that run now. Several calls run together if sends share a transaction. */
type RunningCalls = AsyncLocalStorage<readonly RunningCall[]>;

/**
 * Creates the checks of strict mode.
 * @param appended called for each operation of a call after its commit
 * @param alone whether operations that no call appended are allowed. A workbench appends such operations.
 */
export function createStrictContract(appended: (emitted: Emitted) => void, alone = false) {
  const running: RunningCalls = new AsyncLocalStorage();

  /** Returns the call of each operation. @throws ContractBroken if no call declares one of them */
  const causesOf = (operations: readonly NewOperation[]): readonly (RunningCall | undefined)[] => {
    const calls = running.getStore() ?? [];
    if (alone && calls.length === 0) return [];
    return operations.map((operation) => causeOf(operation, calls));
  };

  /** Tells about appended operations after the commit. */
  function tell(
    tx: Tx,
    operations: readonly NewOperation[],
    causes: readonly (RunningCall | undefined)[],
    heads: Heads,
  ): void {
    const revisions = revisionsOf(operations, heads);
    tx.onCommit(() => {
      operations.forEach(({ accountId, type, to }, at) => {
        const call = causes[at];
        const emitted = { endpoint: call?.endpoint ?? '', type, to, accountId, revision: revisions[at] ?? 0 };
        appended(emitted);
        if (call?.hearer) call.heard = call.hearer.appended(emitted);
      });
    });
  }

  return {
    /**
     * Runs a call, and throws if it appended an undeclared operation, even if the handler caught the error of the
     * append.
     */
    async run<T>(
      { name, entry: { emits = [] } }: Declared,
      caller: { readonly accountId: number } | undefined,
      work: () => Promise<T> | T,
      hearer?: Hearer,
    ): Promise<T> {
      const call: RunningCall = { endpoint: name, emits, self: caller?.accountId, hearer };
      try {
        const result = await running.run([call], work);
        if (!call.broken) return result;
      } catch (error) {
        throw call.broken ?? error;
      } finally {
        await call.heard;
      }
      throw call.broken;
    },

    /** Returns a store whose transactions know to which calls they belong. */
    store: (store: Store): Store => ({
      ...store,
      // `store.read` is looked up at each call, so that a test can replace the function.
      read: (work) => store.read(work),
      transact: (work) => store.transact(AsyncLocalStorage.bind(work)),
      grouped: (work, keysOf) => groupedWithCalls(running, store, work, keysOf),
    }),

    /** Returns a log that refuses undeclared operations. */
    log(log: OperationLog): OperationLog {
      const append: OperationLog['append'] = async (tx, operations, heads) => {
        const causes = causesOf(operations);
        await log.append(tx, operations, heads);
        tell(tx, operations, causes, heads);
      };
      return {
        ...log,
        append,
        async lockAndAppend(tx, operations) {
          if (operations.length === 0) return;
          const accounts = operations.map(({ accountId }) => accountId);
          await append(tx, operations, await log.lock(tx, accounts));
        },
      };
    },
  };
}

/** Returns the revision of each operation, after they were appended. The log of a deleted account has none: 0. */
function revisionsOf(operations: readonly NewOperation[], heads: Heads): number[] {
  const left = new Map<number, number>();
  for (const { accountId } of operations) left.set(accountId, (left.get(accountId) ?? 0) + 1);
  return operations.map(({ accountId }) => {
    const behind = (left.get(accountId) ?? 1) - 1;
    left.set(accountId, behind);
    return (heads.get(accountId)?.revision ?? behind) - behind;
  });
}

/** Groups items with `store.grouped`, and remembers for each item the calls that it belongs to. */
function groupedWithCalls<I, O>(
  running: RunningCalls,
  store: Store,
  work: (tx: Tx, items: readonly I[]) => Promise<readonly (O | Error)[]>,
  keysOf: (item: I) => readonly string[],
): (item: I) => Promise<O> {
  interface TracedItem {
    readonly item: I;
    readonly calls: readonly RunningCall[];
  }
  const take = store.grouped<TracedItem, O>(
    (tx, given) => {
      const items = given.map(({ item }) => item);
      return running.run(
        given.flatMap(({ calls }) => calls),
        () => work(tx, items),
      );
    },
    ({ item }) => keysOf(item),
  );
  return (item) => take({ item, calls: running.getStore() ?? [] });
}

/**
 * Returns the running call whose contract entry declares an operation.
 * @throws ContractBroken if none of the calls declares the operation
 */
function causeOf(operation: NewOperation, calls: readonly RunningCall[]): RunningCall {
  const faults: string[] = [];
  for (const call of calls) {
    const fault = faultOf(call, operation);
    if (fault === undefined) return call;
    faults.push(fault);
  }
  const { type, to } = operation;
  const broken = new ContractBroken(faults[0] ?? `${type} to ${to} was appended, and no call is there to declare it`);
  // A call is marked as broken only if it ran alone. Sends that shared a failed transaction are not marked, because
  // each of them runs again alone.
  const [only, ...others] = calls;
  if (only && others.length === 0) only.broken = broken;
  throw broken;
}

/**
 * Returns the check of an endpoint's results, which throws ContractBroken. Without a schema, the result must be null.
 */
export function resultCheck(endpoint: string, schema: TSchema | undefined): (result: unknown) => void {
  const validator = validatorOf(schema ?? Nothing);
  return (result) => {
    const value: unknown = JSON.parse(JSON.stringify(result ?? null));
    if (validator().Check(value)) return;
    const fault = JSON.stringify(validator().Errors(value)[0]);
    throw new ContractBroken(`${endpoint} answered what its contract does not declare: ${fault}`);
  };
}

export interface StrictContract extends ReturnType<typeof createStrictContract> {}

function faultOf(call: RunningCall, { accountId, to, type }: NewOperation): string | undefined {
  const { endpoint, emits } = call;
  if (!emits.some((emission) => emission.type === type && emission.to === to))
    return `${endpoint} appended ${type} to ${to}: its entry must have { type: '${type}', to: '${to}' } in \`emits\``;
  if (to === 'self') call.self ??= accountId;
  if ((to === 'self') === (accountId === call.self)) return undefined;
  return `${endpoint} appended ${type} to ${to}, and account ${accountId} is ${to === 'self' ? 'not ' : ''}the caller's`;
}
