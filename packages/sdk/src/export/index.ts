// The export of an account: everything that the account can see, in one archive. Programs load this part only when they
// need it.

export { exportAccount } from './export-account.ts';
export type { ExportEntry, ExportOptions, ExportProgress, ExportSource } from './export-deps.ts';
export { zipOf } from './zip-of.ts';
