// Lists the endpoints that cause each operation. The contract has the opposite lists: each endpoint with its
// operations.
import { type AppendedType, operationTypes } from '@sealpost/contract';
import { documentedAdminEndpoints, documentedHttpEndpoints, documentedMethods, type Emission } from './source.ts';

export interface Cause {
  readonly method: string;
  readonly to: Emission['to'];
  readonly when?: string;
}

export interface EmittedOperation {
  readonly type: AppendedType;
  readonly causes: readonly Cause[];
}

/** Returns every operation that some endpoint emits, ordered by the operation's number. */
export function emittedOperations(): readonly EmittedOperation[] {
  const admin = documentedAdminEndpoints.map(({ name, entry }) => ({ name: `admin.${name}`, entry }));
  const causes = [...documentedMethods, ...documentedHttpEndpoints, ...admin].flatMap(({ name, entry }) =>
    (entry.emits ?? []).map(({ type, ...rest }) => ({ type, cause: { method: name, ...rest } })),
  );
  return [...Map.groupBy(causes, ({ type }) => type)]
    .map(([type, found]) => ({ type, causes: found.map(({ cause }) => cause) }))
    .sort((a, b) => operationTypes[a.type] - operationTypes[b.type]);
}
