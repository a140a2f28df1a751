// Strict mode, for tests and development: a call that breaks the contract on the server's side fails. Production runs
// without any of it.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Emission } from '@sealpost/contract/schemas';
import Type, { type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Store, Tx } from '../store/store.ts';
import type { NewOperation, OperationLog } from '../stream/operation-log.ts';

/** The server did what the contract does not declare. */
export class ContractBroken extends Error {
  override name = 'ContractBroken';
}

/** An operation that a call appended, as the entry of its endpoint declares it. */
export interface Emitted extends Pick<Emission, 'type' | 'to'> {
  readonly endpoint: string;
}

interface RunningCall {
  readonly endpoint: string;
  readonly emits: readonly Emission[];
  /** The account that is `self`; without a caller the first one that is told as such. */
  self: number | undefined;
  broken?: ContractBroken;
}

/** The calls under way: several where sends share a transaction. */
type Running = AsyncLocalStorage<readonly RunningCall[]>;

/** @param appended told of each operation once it is durable */
export function createStrictContract(appended: (emitted: Emitted) => void) {
  const running: Running = new AsyncLocalStorage();

  function judge(tx: Tx, operations: readonly NewOperation[]): void {
    const calls = running.getStore() ?? [];
    const emitted = operations.map((operation) => {
      const { type, to } = operation;
      return { endpoint: causeOf(operation, calls).endpoint, type, to };
    });
    tx.onCommit(() => emitted.forEach(appended));
  }

  return {
    /** Runs a call. What it appends must be declared, also where the handler would get over the failure. */
    async run<T>(
      endpoint: string,
      { emits = [] }: { readonly emits?: readonly Emission[] },
      caller: { readonly accountId: number } | undefined,
      work: () => Promise<T> | T,
    ): Promise<T> {
      const call: RunningCall = { endpoint, emits, self: caller?.accountId };
      try {
        const result = await running.run([call], work);
        if (!call.broken) return result;
      } catch (error) {
        throw call.broken ?? error;
      }
      throw call.broken;
    },

    /** The store, whose transactions know the calls that they are for. */
    store: (store: Store): Store => ({
      ...store,
      transact: (work) => store.transact(AsyncLocalStorage.bind(work)),
      grouped: (work, keysOf) => groupedWithCalls(running, store, work, keysOf),
    }),

    /** The log, which takes only what is declared. */
    log: (log: OperationLog): OperationLog => ({
      ...log,
      async append(tx, operations, heads) {
        judge(tx, operations);
        await log.append(tx, operations, heads);
      },
      async lockAndAppend(tx, operations) {
        judge(tx, operations);
        await log.lockAndAppend(tx, operations);
      },
    }),
  };
}

/** Groups items as the store does, each with the calls that it is for. */
function groupedWithCalls<I, O>(
  running: Running,
  store: Store,
  work: (tx: Tx, items: readonly I[]) => Promise<readonly (O | Error)[]>,
  keysOf: (item: I) => readonly string[],
): (item: I) => Promise<O> {
  interface Given {
    readonly item: I;
    readonly calls: readonly RunningCall[];
  }
  const take = store.grouped<Given, O>(
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

/** Returns which of the calls appends an operation. @throws ContractBroken */
function causeOf(operation: NewOperation, calls: readonly RunningCall[]): RunningCall {
  const faults: string[] = [];
  for (const call of calls) {
    const fault = faultOf(call, operation);
    if (fault === undefined) return call;
    faults.push(fault);
  }
  const { type, to } = operation;
  const broken = new ContractBroken(faults[0] ?? `${type} to ${to} was appended, and no call is there to declare it`);
  // Sends that share a failed transaction are tried again alone.
  const [only, ...others] = calls;
  if (only && others.length === 0) only.broken = broken;
  throw broken;
}

/** Makes the check of an endpoint's results; without a schema it has none. The check throws ContractBroken. */
export function resultCheck(endpoint: string, schema: TSchema | undefined): (result: unknown) => void {
  const validator = Compile(schema ?? Type.Null());
  return (result) => {
    const value: unknown = JSON.parse(JSON.stringify(result ?? null));
    if (validator.Check(value)) return;
    const fault = JSON.stringify(validator.Errors(value)[0]);
    throw new ContractBroken(`${endpoint} answered what its contract does not declare: ${fault}`);
  };
}

export type StrictContract = ReturnType<typeof createStrictContract>;

function faultOf(call: RunningCall, { accountId, to, type }: NewOperation): string | undefined {
  const { endpoint, emits } = call;
  if (!emits.some((emission) => emission.type === type && emission.to === to))
    return `${endpoint} appended ${type} to ${to}: its entry must have { type: '${type}', to: '${to}' } in \`emits\``;
  if (to === 'self') call.self ??= accountId;
  if ((to === 'self') === (accountId === call.self)) return undefined;
  return `${endpoint} appended ${type} to ${to}, and account ${accountId} is ${to === 'self' ? 'not ' : ''}the caller's`;
}
