// The codes by which PostgreSQL and the way to it say what went wrong.
import { StoreUnavailable } from './store.ts';

/** Serialization failure, deadlock, and a unique key that a neighbour wrote first: the same work succeeds when repeated. */
const REPEATABLE = new Set(['40001', '40P01', '23505', '55P03']);

/** Such as ECONNREFUSED and EAI_AGAIN. No code of PostgreSQL looks like this, nor one of the error table. */
const SYSTEM_ERROR = /^E(AI_)?[A-Z]+$/;

const codeOf = (error: unknown): string => (error as { code?: string }).code ?? '';

/** Whether the same work may succeed when it is repeated. */
export const isRepeatable = (error: unknown): boolean => REPEATABLE.has(codeOf(error));

/** Returns the error, or what callers are told when the database is gone, full or ends. */
export function unavailableIfLost(error: unknown, closed: boolean): unknown {
  const code = codeOf(error);
  const lost =
    closed ||
    code.startsWith('08') ||
    code.startsWith('57') ||
    code.startsWith('53') ||
    SYSTEM_ERROR.test(code) ||
    /Connection terminated|not queryable|Client was closed/.test(String(error));
  return lost ? new StoreUnavailable('PostgreSQL did not answer', { cause: error }) : error;
}
