// The services that tests need. They are found on the machine, or started for the run.
import { findArtifactPrograms } from './test-artifacts.ts';
import { findNats } from './test-nats.ts';
import { findPatroni } from './test-patroni.ts';
import { findPostgres } from './test-postgres.ts';
import { findProgram } from './test-program.ts';
import { findPython } from './test-python.ts';
import { findS3 } from './test-s3.ts';

/** A service that tests need: its address, a text about where it was found, and a function that stops it. */
export interface Service {
  readonly url: string;
  readonly from: string;
  stop(): Promise<void>;
}

interface Provider {
  readonly name: string;
  readonly variable: string;
  find(named: string | undefined): Promise<Service>;
}

const providers = {
  postgres: { name: 'PostgreSQL', variable: 'SEALPOST_TEST_POSTGRES_URL', find: findPostgres },
  nats: { name: 'NATS', variable: 'SEALPOST_TEST_NATS_URL', find: findNats },
  chromium: { name: 'Chromium', variable: 'SEALPOST_TEST_CHROMIUM', find: findProgram('chromium') },
  firefox: {
    name: 'Firefox',
    variable: 'SEALPOST_TEST_FIREFOX',
    find: findProgram('firefox', ['firefox-esr', 'firefox']),
  },
  strace: { name: 'strace', variable: 'SEALPOST_TEST_STRACE', find: findProgram('strace') },
  go: { name: 'Go', variable: 'SEALPOST_TEST_GO', find: findProgram('go') },
  pytest: { name: 'pytest', variable: 'SEALPOST_TEST_PYTEST', find: findProgram('pytest', ['pytest-3', 'pytest']) },
  artifacts: { name: 'artifacts', variable: 'SEALPOST_TEST_ARTIFACTS', find: findArtifactPrograms },
  patroni: { name: 'Patroni', variable: 'SEALPOST_TEST_PATRONI', find: findPatroni },
  python: { name: 'Python', variable: 'SEALPOST_TEST_PYTHON', find: findPython },
  s3: { name: 'S3', variable: 'SEALPOST_TEST_S3_URL', find: findS3 },
} satisfies Record<string, Provider>;

export type ServiceName = keyof typeof providers;

export const serviceNames = Object.keys(providers) as readonly ServiceName[];

/** Returns the environment variable in which tests look for a service. */
export const serviceVariable = (name: ServiceName): string => providers[name].variable;

/**
 * Finds or starts a service, and puts its address into the environment. If this fails, tests that need the service are
 * skipped; in CI, the run fails instead.
 */
export async function provide(service: ServiceName): Promise<Service | undefined> {
  const { name, variable, find }: Provider = providers[service];
  try {
    const found = await find(process.env[variable]);
    process.env[variable] = found.url;
    console.log(`${name}: ${found.from}`);
    return found;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (process.env.CI) throw new Error(`${name} is required in CI: ${reason} (set ${variable})`);
    console.log(`skipped: all tests on ${name}: ${reason}; set ${variable} to run them`);
    return undefined;
  }
}
