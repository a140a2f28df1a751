// The error codes of PostgreSQL and of the connection to it.
import { StoreUnavailable } from './store.ts';

/**
 * Codes of errors after which a repetition succeeds: serialization failure, deadlock, a unique key that another
 * transaction wrote first, and lock timeout.
 */
const REPEATABLE = new Set(['40001', '40P01', '23505', '55P03']);

/**
 * Matches codes such as ECONNREFUSED and EAI_AGAIN. Neither PostgreSQL nor the contract uses error codes of this form.
 */
const SYSTEM_ERROR = /^E(AI_)?[A-Z]+$/;

/** The code of a write that PostgreSQL refuses because it accepts none, as a standby does. */
const READ_ONLY = '25006';

/** The code with which PostgreSQL ends a transaction whose server paused, for example because its machine stood still. */
const PAUSED = '25P03';

const codeOf = (error: unknown): string => (error as { code?: string }).code ?? '';

/** Returns true if the work that failed with an error may succeed when it is repeated. */
export const isRepeatable = (error: unknown): boolean => REPEATABLE.has(codeOf(error));

/** Returns true if PostgreSQL accepts no writes. After a failover, the connection leads to the old primary. */
export const isReadOnly = (error: unknown): boolean => codeOf(error) === READ_ONLY;

/** Returns StoreUnavailable if the database is gone, full or read-only, or the store is closed; otherwise the same error. */
export function unavailableIfLost(error: unknown, closed: boolean): unknown {
  const code = codeOf(error);
  const lost =
    closed ||
    code === READ_ONLY ||
    code === PAUSED ||
    code.startsWith('08') ||
    code.startsWith('57') ||
    code.startsWith('53') ||
    SYSTEM_ERROR.test(code) ||
    /Connection terminated|not queryable|Client was closed/.test(String(error));
  return lost ? new StoreUnavailable('PostgreSQL did not answer', { cause: error }) : error;
}
