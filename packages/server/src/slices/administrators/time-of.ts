/** Returns a time in the format of the admin API. */
export const timeOf = (ms: number): string => new Date(ms).toISOString();
