// Databases as older versions of the server left them. They have the tables of an older schema. Their rows are made from
// those of a server of today.
import { type ConfigSources, ownMigrations, type Row } from '@sealpost/server/internal';
import {
  clearTable,
  dataTables,
  openAlone,
  rowsOf,
  serverConfig,
  viewDatabase,
} from '@sealpost/server/internal-maintenance';

/** The rows of all tables, by the name of the table. */
export type Rows = Readonly<Record<string, readonly Row[]>>;

/** The numbers of all migrations, in the order in which they run. */
export const versions: readonly number[] = ownMigrations.map(({ version }) => version);

/** Returns all rows of a database, which a server may use meanwhile. */
export async function rowsIn(sources: ConfigSources): Promise<Rows> {
  const database = await viewDatabase(serverConfig(sources).database);
  try {
    const found: Record<string, readonly Row[]> = {};
    for (const table of await dataTables(database)) {
      const rows: Row[] = [];
      for await (const page of rowsOf(database, table)) {
        for (const values of page)
          rows.push(Object.fromEntries(table.columns.map(({ name }, n) => [name, values[n] ?? null])));
      }
      found[table.name] = rows;
    }
    return found;
  } finally {
    await database.close();
  }
}

/** Makes a new database with the tables of a version, and fills them. Returns the names of its tables. */
export async function fillOlder(sources: ConfigSources, version: number, rows: Rows): Promise<readonly string[]> {
  const older = olderRows(rows, version);
  const database = await openAlone(serverConfig(sources).database);
  try {
    await database.createTables(version);
    const tables = await dataTables(database);
    await database.transact(async () => {
      for (const table of tables) {
        // Some migrations insert rows, which the other rows contain too.
        await database.run(clearTable(table.name));
        const values = (older[table.name] ?? []).map((row) => table.columns.map(({ name }) => row[name] ?? null));
        if (values.length > 0) await database.insert(table, values);
      }
    });
    return tables.map(({ name }) => name);
  } finally {
    await database.close();
  }
}

/** Returns rows as they were before all migrations that are newer than a version. */
function olderRows(rows: Rows, version: number): Rows {
  const older = { ...rows };
  for (const newer of versions.filter((one) => one > version).reverse()) Object.assign(older, before[newer]?.(older));
  return older;
}

const SENT = 25;
const MEDIA: ReadonlySet<unknown> = new Set([1, 2, 3, 14]);

/** For each migration that changes rows: the tables that it changes, with rows as they may have been before it. */
const before: Readonly<Record<number, (rows: Rows) => Rows>> = {
  6: withSettings({ sealing_off: 'e2eeEnable' }),
  12: withSettings({
    refuse_friend_requests: 'privacyAllowFriendRequest',
    refuse_devices: 'privacyAllowSecondaryDeviceLogin',
  }),
  // A send had a row of its own, with the columns that it shares with its operation.
  13: ({ request = [], operation = [] }) => ({
    request: [...request, ...operation.filter((row) => row.type === SENT && row.session_id !== null)],
  }),
  15: ({ certificate = [] }) => ({ certificate: certificate.map((row) => ({ ...row, client_type: 'a device name' })) }),
  // Each flag is wrong, so that the migration must correct all of them.
  16: ({ message = [] }) => ({
    message: message.map((row) => (MEDIA.has(row.content_type) ? { ...row, body: withOtherFlag(row.body) } : row)),
  }),
};

/** Returns a function that writes settings with a column of their own into the JSON with the other settings. */
function withSettings(columns: Readonly<Record<string, string>>): (rows: Rows) => Rows {
  return ({ settings = [] }) => ({
    settings: settings.map((row) => {
      const off = Object.entries(columns).filter(([column]) => row[column] === 1);
      const changed = {
        ...JSON.parse(String(row.changed)),
        ...Object.fromEntries(off.map(([, name]) => [name, false])),
      };
      return { ...row, changed: JSON.stringify(changed) };
    }),
  });
}

const withOtherFlag = (body: unknown): string =>
  String(body).replace(/"hasContent":(true|false)/, (_, flag) => `"hasContent":${flag === 'false'}`);
