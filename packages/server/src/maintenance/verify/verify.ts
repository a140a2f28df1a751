// Checks every rule of the data without changing anything. A running server is not disturbed.
import type { ObjectKey, Objects } from '../../platform/objects/objects.ts';
import { leastVersion, newestVersion } from '../../platform/store/migrate.ts';
import type { Row } from '../../platform/store/sql.ts';
import { openPlace } from '../../start/adapters.ts';
import type { Config } from '../../start/config/config.ts';
import type { ConfigSources } from '../../start/config/sources.ts';
import { isPublished, problemOf } from '../copy-object.ts';
import type { Database } from '../database/database.ts';
import { viewDatabase } from '../database/open-database.ts';
import { instanceOf, schemaVersionOf } from '../instance.ts';
import { serverConfig } from '../places.ts';
import type { OnProgress } from '../progress.ts';
import * as all from '../queries.ts';
import { advice, type Finding, TOLD } from './finding.ts';
import { checkKeyLog } from './key-log-check.ts';
import * as q from './queries.ts';
import { type RowRule, rowRules } from './row-rules.ts';

export interface VerifyOptions {
  readonly sources: ConfigSources;
  /** True if the bytes of objects are not read, and the check is only whether the objects exist. */
  readonly quick?: boolean | undefined;
  readonly onProgress?: OnProgress;
}

export interface VerifyResult {
  readonly database: string;
  readonly objectsAt: string;
  /** Number of rules that were checked. */
  readonly rules: number;
  readonly objects: number;
  readonly findings: readonly Finding[];
  /** Number of further findings that are not listed. */
  readonly more: number;
}

const PAGE = 100;

export async function verify({ sources, quick = false, onProgress = () => {} }: VerifyOptions): Promise<VerifyResult> {
  const config = serverConfig(sources);
  const findings = new Findings();
  const database = await viewDatabase(config.database);
  let instance: string | undefined;
  try {
    await checkFiles(database, findings);
    // If the file is damaged, queries fail or return wrong results, so no further rule is checked.
    if (findings.told.length > 0) return resultOf(database, findings, { rules: 1, objects: 0, objectsAt: '' });
    await requireCurrentSchema(database);
    for (const [done, rule] of rowRules.entries()) {
      onProgress({ what: `${rule.check} of ${rule.table}`, done: done + 1, all: rowRules.length });
      await checkRows(database, rule, findings);
    }
    await checkLogs(database, findings);
    onProgress({ what: 'key log', done: 0 });
    await checkKeyLog(database.reader, (finding) => findings.add(finding));
    instance = await checkSecrets(database, findings);
  } finally {
    await database.close();
  }
  const objects = await checkObjects(config, { instance, quick, findings, onProgress });
  return resultOf(database, findings, { ...objects, rules: rowRules.length + OTHER_RULES });
}

const resultOf = (
  { location }: Database,
  { told, more }: Findings,
  facts: Pick<VerifyResult, 'rules' | 'objects' | 'objectsAt'>,
): VerifyResult => ({ database: location, ...facts, findings: told, more });

/**
 * Number of rules that are not about single rows: files, gaps in logs, the key log, secrets, the owner of objects,
 * objects.
 */
const OTHER_RULES = 6;

class Findings {
  readonly told: Finding[] = [];
  more = 0;
  readonly #counts = new Map<string, number>();

  add(finding: Finding): void {
    const count = (this.#counts.get(finding.check) ?? 0) + 1;
    this.#counts.set(finding.check, count);
    if (count <= TOLD) this.told.push(finding);
    else this.more += 1;
  }
}

async function checkFiles(database: Database, findings: Findings): Promise<void> {
  for (const problem of await database.damage())
    findings.add({ check: 'database file', where: database.location, problem, advice: advice.restore });
}

/** @throws Error if the tables are not those that the rules know */
async function requireCurrentSchema(database: Database): Promise<void> {
  const version = await schemaVersionOf(database);
  if (version >= leastVersion && version <= newestVersion) return;
  throw new Error(
    version > newestVersion
      ? `the database has schema version ${version}, this program knows up to ${newestVersion}. Use the program that runs the server.`
      : `the database has schema version ${version}, and this program is made for ${newestVersion}. Use the program of that version, or start this server once, which brings the tables up to date.`,
  );
}

async function checkRows({ reader }: Database, rule: RowRule, findings: Findings): Promise<void> {
  for (const row of await reader.all(rule.query, TOLD * TOLD)) {
    const where = `${rule.table} ${textOf(row)}`;
    findings.add({ check: rule.check, where, problem: rule.problem(row), advice: rule.advice });
  }
}

const textOf = (row: Row): string =>
  Object.entries(row)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');

async function checkLogs({ reader }: Database, findings: Findings): Promise<void> {
  for (const { account_id: account, revision, first_revision: first, found } of await reader.all(
    q.logsWithGaps,
    TOLD,
  )) {
    const gap = await reader.one(q.firstGap, first, account, first, account);
    findings.add({
      check: 'operation logs',
      where: `operation account_id=${account} revision=${gap?.revision ?? first}`,
      problem: `the operation is missing: the log has ${found} from ${first} to ${revision}, not ${revision - first + 1}`,
      advice: advice.log,
    });
  }
}

/** Returns the id of the installation; undefined if its secret is missing. */
async function checkSecrets(database: Database, findings: Findings): Promise<string | undefined> {
  const names = new Set((await database.reader.all(q.secrets)).map(({ name }) => name));
  for (const name of ['tokens', 'key log']) {
    if (names.has(name)) continue;
    const problem = 'the secret is missing: the next start draws another one, and everything made with it is void';
    findings.add({ check: 'secrets', where: `server_secret name=${name}`, problem, advice: advice.restore });
  }
  return names.has('tokens') ? instanceOf(database) : undefined;
}

interface ObjectsCheck {
  readonly instance: string | undefined;
  readonly quick: boolean;
  readonly findings: Findings;
  readonly onProgress: OnProgress;
}

async function checkObjects(
  config: Config,
  { instance, quick, findings, onProgress }: ObjectsCheck,
): Promise<{ objects: number; objectsAt: string }> {
  const objects = await openPlace(config.objects, config.media.objectBytes, '', { readOnly: true });
  try {
    const owner = await objects.owner();
    if (instance !== undefined && owner !== instance) {
      const problem = `the objects carry ${owner === undefined ? 'no id' : `the id ${owner}`}, and the database has ${instance}`;
      const remedy = 'Set data-dir, database-url and objects-url to the places that belong together.';
      findings.add({ check: 'objects', where: objects.location, problem, advice: remedy });
    }
    let done = 0;
    for (let after = ''; ; ) {
      const page = await namedAfter(config, after);
      for (const { object_key: key, size, hash } of page) {
        const problem = await (quick ? problemSeen(objects, key) : problemOf(objects, { key, size, hash }));
        // The server takes an object out of quarantine when it is needed. A user may have removed the object since the
        // page was read.
        if (problem !== undefined && !(await isQuarantined(objects, key)) && (await isNamed(config, key)))
          findings.add({
            check: 'objects',
            where: `object ${key} in ${objects.location}`,
            problem,
            advice: advice.object,
          });
        done += 1;
        onProgress({ what: 'objects', done });
      }
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE) return { objects: done, objectsAt: objects.location };
      after = last.object_key;
    }
  } finally {
    await objects.close();
  }
}

async function isQuarantined(objects: Objects, key: ObjectKey): Promise<boolean> {
  // The page begins behind the given text, so the text must be a little smaller than the key.
  const [found] = await objects.page('quarantined', key.slice(0, -1), 1);
  return found?.key === key;
}

const problemSeen = async (objects: Objects, key: string): Promise<string | undefined> =>
  (await isPublished(objects, key)) ? undefined : 'it is not there';

/**
 * Returns the next objects that the database names. A new view is opened for each page, because reading the objects
 * takes long. A view that stays open would keep the database from cleaning up.
 */
async function namedAfter(config: Config, after: string) {
  const database = await viewDatabase(config.database);
  try {
    return await database.reader.all(all.objectsAfter, after, PAGE);
  } finally {
    await database.close();
  }
}

async function isNamed(config: Config, key: string): Promise<boolean> {
  const database = await viewDatabase(config.database);
  try {
    return (await database.reader.one(all.objectNamed, key)) !== undefined;
  } finally {
    await database.close();
  }
}
