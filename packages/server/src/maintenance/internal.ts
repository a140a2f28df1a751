// Internal exports for the development environment of the other packages, like those of ../internal.ts.

export { openAlone, viewDatabase } from './database/open-database.ts';
export { dataTables, rowsOf } from './database/rows.ts';
export { serverConfig } from './places.ts';
export { clear as clearTable } from './queries.ts';
