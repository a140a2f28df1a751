// Tests starts of a server that must be refused, in a process as an operator runs it. Each start prints one line: what
// failed, which value was found, and what to do. Each process ends with an exit code, and leaves no misleading file.
import assert from 'node:assert/strict';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { run, start } from '@sealpost/dev-env/command';

/** A port on which nothing listens. */
const CLOSED = 1;

interface Refusal {
  readonly mode?: 'dev';
  readonly flags?: (place: Place) => Readonly<Record<string, string>>;
  readonly env?: (place: Place) => Readonly<Record<string, string>>;
  /** Prepares an obstacle for the start. */
  readonly prepare?: (place: Place) => void | Promise<void>;
  /** Texts that the output must have: what failed, and the value that was found. */
  readonly says: (place: Place) => readonly string[];
  /** The advice that the output must have. */
  readonly advises: RegExp;
  /** The exit code: 2 for a setting that cannot be used, 1 for other failures. */
  readonly code: 1 | 2;
  /** Whether the start fails before it creates the data folder. */
  readonly early?: true;
}

interface Place {
  /** An empty folder for this test alone. */
  readonly root: string;
  readonly dataDir: string;
  readonly takenPort: number;
}

const inData = ({ dataDir }: Place, name: string): string => join(dataDir, name);

function makeFolderAt(path: string): void {
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, 'kept'), 'x');
}

/** Prepares a data folder in which a server has run. */
async function used({ dataDir }: Place): Promise<void> {
  const wrong = ['--port', '0', '--host', '203.0.113.1', '--allow-plain-http', 'true'];
  const { err } = await run({ SEALPOST_DATA_DIR: dataDir }, ['serve', ...wrong]);
  assert.match(err, /203\.0\.113\.1/);
}

/** What only a developer's server has: `serve` does not know the flags. */
const ofDev = ['clock', 'seed', 'population', 'population-seed', 'population-rate'];

const refusals: Readonly<Record<string, Refusal>> = {
  ...Object.fromEntries(
    ofDev.map((flag): [string, Refusal] => [
      `serve with --${flag}`,
      {
        flags: () => ({ [flag]: '7' }),
        says: () => [`unknown setting: flag --${flag}`],
        advises: /sealpost config/,
        code: 2,
        early: true,
      },
    ]),
  ),
  'an unknown flag': {
    flags: () => ({ prot: '5' }),
    says: () => ['unknown setting: flag --prot'],
    advises: /Did you mean port\?/,
    code: 2,
    early: true,
  },
  'a value that cannot be': {
    env: () => ({ SEALPOST_CHAT_MEMBERS: 'many' }),
    says: () => ['chat-members is "many" (SEALPOST_CHAT_MEMBERS)'],
    advises: /it must be a whole number from 2 to 5000/,
    code: 2,
    early: true,
  },
  'settings that contradict each other': {
    flags: () => ({ host: '0.0.0.0' }),
    says: () => ['0.0.0.0 is reachable by others'],
    advises: /--public-url https:.*--allow-plain-http true/,
    code: 2,
    early: true,
  },
  'dev for others than this machine': {
    mode: 'dev',
    flags: () => ({ host: '10.0.0.1' }),
    says: () => ['loopback only, not on 10.0.0.1'],
    advises: /Use `sealpost serve`/,
    code: 2,
    early: true,
  },
  'a config file that is not there': {
    flags: ({ root }) => ({ config: join(root, 'none.yaml') }),
    says: ({ root }) => [`there is no config file ${join(root, 'none.yaml')}`],
    advises: /Name another one with --config/,
    code: 2,
    early: true,
  },
  'a secret whose file is not there': {
    env: ({ root }) => ({ SEALPOST_ADMIN_TOKEN_FILE: join(root, 'none') }),
    says: ({ root }) => [`SEALPOST_ADMIN_TOKEN_FILE names ${join(root, 'none')}`],
    advises: /cannot be read: ENOENT/,
    code: 2,
    early: true,
  },
  'a data folder that is a file': {
    prepare: ({ dataDir }) => writeFileSync(dataDir, 'x'),
    says: ({ dataDir }) => [`data-dir is "${dataDir}" (SEALPOST_DATA_DIR)`],
    advises: /must be a folder, which is made if it is not there/,
    code: 2,
    early: true,
  },
  'a folder in the place of a lock': {
    prepare: (place) => makeFolderAt(inData(place, 'server.lock')),
    says: (place) => [`${inData(place, 'server.lock')} cannot be locked`],
    advises: /Is its folder writable\?/,
    code: 1,
  },
  'a file in the place of the objects': {
    flags: ({ root }) => ({ 'objects-url': `file:${join(root, 'file')}` }),
    prepare: ({ root }) => writeFileSync(join(root, 'file'), 'x'),
    says: ({ root }) => [`the folder of objects ${join(root, 'file')}`, 'ENOTDIR'],
    advises: /Name another place/,
    code: 1,
  },
  'a file that is no database': {
    prepare: ({ dataDir }) => {
      mkdirSync(dataDir);
      writeFileSync(join(dataDir, 'sealpost.db'), 'A letter.\n'.repeat(1000));
    },
    says: (place) => [`the database ${inData(place, 'sealpost.db')} cannot be used: it is not a SQLite database`],
    advises: /--database-url, or: .*restore a backup/,
    code: 1,
  },
  'a database of a later version': {
    prepare: async (place) => {
      await used(place);
      const database = new DatabaseSync(inData(place, 'sealpost.db'));
      database.exec('insert into schema_version values (4711, 0, 1)');
      database.close();
    },
    says: () => ['schema version 4711'],
    advises: /Start a newer server, or restore a backup/,
    code: 1,
  },
  'objects of another database': {
    prepare: async (place) => {
      await used(place);
      writeFileSync(inData(place, 'objects/instance'), `${'0'.repeat(32)}\n`);
    },
    says: (place) => [`objects-url names ${inData(place, 'objects')}`, `they carry the id ${'0'.repeat(32)}`],
    advises: /Set data-dir, database-url and objects-url to the places that belong together/,
    code: 2,
  },
  'a PostgreSQL that is not there': {
    flags: () => ({ 'database-url': `postgres://me:5ecret@127.0.0.1:${CLOSED}/x` }),
    says: () => [`cannot connect to PostgreSQL at 127.0.0.1:${CLOSED}/x`, 'ECONNREFUSED'],
    advises: /Check that it runs, and that database-url names it/,
    code: 1,
  },
  'several processes on SQLite': {
    env: () => ({ SEALPOST_PROCESSES: '2' }),
    says: () => ['processes is 2 (SEALPOST_PROCESSES)', 'SQLite, which only one process can use'],
    advises: /Set database-url to postgres:.*or leave processes at 1.*sealpost move/,
    code: 2,
    early: true,
  },
  'several processes of dev': {
    mode: 'dev',
    flags: () => ({ processes: '2' }),
    says: () => ['processes is 2 (flag --processes)', 'dev runs one'],
    advises: /Use `sealpost serve`/,
    code: 2,
    early: true,
  },
  'more processes than servers of one database': {
    flags: () => ({ processes: '32' }),
    says: () => ['processes is "32" (flag --processes)'],
    advises: /must be a whole number from 1 to 31/,
    code: 2,
    early: true,
  },
  'several processes whose PostgreSQL is not there': {
    flags: () => ({ processes: '2', 'database-url': `postgres://me:5ecret@127.0.0.1:${CLOSED}/x` }),
    says: () => [`cannot connect to PostgreSQL at 127.0.0.1:${CLOSED}/x`, 'ECONNREFUSED'],
    advises: /Check that it runs, and that database-url names it/,
    code: 1,
  },
  'several processes at a port that is taken': {
    flags: ({ takenPort }) => ({
      processes: '2',
      port: String(takenPort),
      'database-url': `postgres://127.0.0.1:${CLOSED}/x`,
    }),
    says: ({ takenPort }) => [`127.0.0.1:${takenPort} is in use`],
    advises: /Stop what listens there, or take another port with --port/,
    code: 1,
  },
  'a bucket that is not there': {
    flags: () => ({
      'objects-url': 's3://media',
      's3-endpoint': `http://127.0.0.1:${CLOSED}`,
      's3-access-key': 'key',
      's3-secret-key': '5ecret',
    }),
    says: () => [`objects-url names bucket media at http://127.0.0.1:${CLOSED}`, 'cannot be used'],
    advises: /Check that s3-endpoint is its address/,
    code: 1,
  },
  'accounts of dev that are served': {
    prepare: async ({ dataDir, takenPort }) => {
      const { err } = await run({ SEALPOST_DATA_DIR: dataDir }, ['dev', '--port', String(takenPort)]);
      assert.match(err, /in use/);
    },
    says: (place) => [
      `alice, bob, carol, the administrator admin in ${inData(place, 'sealpost.db')} still have the passwords`,
    ],
    advises: /take another --data-dir.*sealpost account reset-password/,
    code: 2,
  },
  'a port that is taken': {
    flags: ({ takenPort }) => ({ port: String(takenPort) }),
    says: ({ takenPort }) => [`127.0.0.1:${takenPort} is in use`],
    advises: /Stop what listens there, or take another port with --port/,
    code: 1,
  },
  'an address of another machine': {
    flags: () => ({ host: '203.0.113.1', 'allow-plain-http': 'true' }),
    says: () => ['203.0.113.1:0 is not an address of this machine'],
    advises: /with --host, for example 127\.0\.0\.1/,
    code: 1,
  },
  'a folder in the place of the ready file': {
    flags: ({ root }) => ({ 'ready-file': join(root, 'ready') }),
    prepare: ({ root }) => makeFolderAt(join(root, 'ready')),
    says: ({ root }) => [`ready-file ${join(root, 'ready')} cannot be used`],
    advises: /Name another place/,
    code: 1,
  },
  'a folder in the place of the admin token': {
    prepare: (place) => makeFolderAt(inData(place, 'admin-token')),
    says: (place) => [`the admin token in ${inData(place, 'admin-token')} cannot be used`, 'EISDIR'],
    advises: /Name another place/,
    code: 1,
  },
  'an empty admin token': {
    prepare: ({ dataDir }) => {
      mkdirSync(dataDir);
      writeFileSync(join(dataDir, 'admin-token'), '\n');
    },
    says: (place) => [`the admin token in ${inData(place, 'admin-token')} is empty`],
    advises: /Remove the file: the next start makes a new one/,
    code: 1,
  },
  'a folder in the place of the address': {
    prepare: (place) => makeFolderAt(inData(place, 'server.json')),
    says: (place) => [`the address of this server in ${inData(place, 'server.json')} cannot be used`],
    advises: /Name another place/,
    code: 1,
  },
  'a seed of a population without people': {
    mode: 'dev',
    flags: () => ({ 'population-seed': '7' }),
    says: () => ['--population-seed and --population-rate'],
    advises: /go with --population/,
    code: 2,
    early: true,
  },
  'a population in a folder that has accounts': {
    mode: 'dev',
    flags: () => ({ population: '3' }),
    prepare: used,
    says: ({ dataDir }) => [`${dataDir} has accounts already`],
    advises: /Take another --data-dir/,
    code: 2,
  },
  'a folder with the people of a population': {
    prepare: (place) => {
      mkdirSync(place.dataDir);
      writeFileSync(inData(place, 'population.json'), '{}');
    },
    says: ({ dataDir }) => [`${dataDir} was filled by \`sealpost dev --population\``],
    advises: /take another --data-dir/,
    code: 2,
    early: true,
  },
  'a folder in the place of the accounts of dev': {
    mode: 'dev',
    prepare: (place) => makeFolderAt(inData(place, 'dev-accounts.json')),
    says: (place) => [`the list of accounts in ${inData(place, 'dev-accounts.json')} cannot be used`],
    advises: /Name another place/,
    code: 1,
  },
};

describe('a start that is refused', () => {
  const root = mkdtempSync(join(tmpdir(), 'sealpost-refused-'));
  let taken: Server;
  before(async () => {
    taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  });
  after(() => {
    taken.close();
    rmSync(root, { recursive: true, force: true });
  });

  /** Returns files that only a running server has, and pieces of unfinished files. */
  const leftIn = (place: Place): string[] =>
    globSync('**', { cwd: place.root, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
      .filter((name) => /^(server\.pid|server\.json|dev-accounts\.json|ready)$|\.tmp$|-journal$/.test(name));

  for (const [name, refusal] of Object.entries(refusals)) {
    test(name, async () => {
      const own = mkdtempSync(join(root, 'start-'));
      const place: Place = {
        root: own,
        dataDir: join(own, 'data'),
        takenPort: (taken.address() as { port: number }).port,
      };
      await refusal.prepare?.(place);
      const made = existsSync(place.dataDir);
      const flags = Object.entries({ port: '0', ...refusal.flags?.(place) });
      const { child, finished } = start({ SEALPOST_DATA_DIR: place.dataDir, ...refusal.env?.(place) }, [
        refusal.mode ?? 'serve',
        ...flags.flatMap(([flag, value]) => [`--${flag}`, value]),
      ]);
      // A server that starts in spite of the obstacle would run for ever.
      child.stdout?.once('data', () => child.kill());
      const { code, out, err } = await finished;
      assert.equal(code, refusal.code, err);
      assert.match(err, /^sealpost: [^\n]+\n$/, 'one line');
      for (const part of refusal.says(place)) assert.ok(err.includes(part), `${part} is not in: ${err}`);
      assert.match(err, refusal.advises);
      assert.doesNotMatch(err, /5ecret|\n +at /);
      assert.equal(out, '', 'nobody is told that it runs');
      assert.deepEqual(leftIn(place), []);
      if (refusal.early && !made) assert.equal(existsSync(place.dataDir), false, 'the data folder is not made');
    });
  }

  test('of dev, because its ready file has no folder, ends the server that already listened', async () => {
    const readyFile = join(root, 'nowhere/ready');
    const flags = ['--port', '0', '--ready-file', readyFile];
    const { code, out, err } = await start({ SEALPOST_DATA_DIR: join(root, 'dev') }, ['dev', ...flags]).finished;
    assert.equal(code, 1);
    assert.ok(err.startsWith(`sealpost: ready-file ${readyFile} cannot be used`), err);
    assert.equal(out, '');
  });

  test('gives its data folder back, with what it holds', async () => {
    const place: Place = { root, dataDir: join(root, 'again'), takenPort: 0 };
    await used(place);
    const token = readFileSync(inData(place, 'admin-token'), 'utf8');
    await used(place);
    assert.equal(readFileSync(inData(place, 'admin-token'), 'utf8'), token);
  });
});
