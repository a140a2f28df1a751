// The codes by which SQLite says what went wrong.

const SQLITE_BUSY = 5;
const SQLITE_FULL = 13;

/** Without the details that SQLite adds in the higher bits. */
const codeOf = (error: unknown): number => ((error as { errcode?: number }).errcode ?? 0) & 0xff;

/** Somebody else holds a lock. */
export const isBusy = (error: unknown): boolean => codeOf(error) === SQLITE_BUSY;

/** The disk has no room; SQLite may have ended the transaction by itself. */
export const isFull = (error: unknown): boolean => codeOf(error) === SQLITE_FULL;
