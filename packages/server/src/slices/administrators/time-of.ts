/** Returns a time as the admin API writes it. */
export const timeOf = (ms: number): string => new Date(ms).toISOString();
