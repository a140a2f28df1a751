// Checks the compose files: the server accepts their settings, and they fit the image.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, describe, test } from 'node:test';
import { loadConfig } from '@sealpost/server';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { packagesOf } from '../../../scripts/debian-packages.ts';
import { HEALTH_CHECK, IMAGE_DATA, IMAGE_PORT } from '../../../scripts/packaging/artifacts/image.ts';

interface Service {
  readonly image: string;
  readonly build?: { readonly dockerfile_inline: string };
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
  readonly volumes?: readonly string[];
  readonly networks: readonly string[];
  readonly read_only?: boolean;
  readonly stop_grace_period?: string;
  readonly tmpfs?: readonly string[];
  readonly ports?: readonly string[];
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly depends_on?: readonly string[] | Readonly<Record<string, { readonly condition: string }>>;
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly secrets: object;
  readonly volumes: object;
  readonly networks: Readonly<
    Record<string, { readonly ipam: { readonly config: readonly { readonly subnet: string }[] } }>
  >;
}

const deploy = join(import.meta.dirname, '../../../deploy/compose');
const folder = mkdtempSync(join(tmpdir(), 'sealpost-compose-'));
after(() => rmSync(folder, { recursive: true }));

/** What an operator sets before the start. */
const GIVEN: Readonly<Record<string, string>> = {
  SEALPOST_PUBLIC_URL: 'https://chat.example.org',
  SEALPOST_DOMAIN: 'chat.example.org',
  S3_IMAGE: 'registry.example.org/s3:1',
  SUPERUSER_PASSWORD: 'secret-of-postgres',
  REPLICATION_PASSWORD: 'secret-of-replication',
  DATABASE_PASSWORD: 'secret',
};
/** What the secrets contain. */
const SECRETS: Readonly<Record<string, string>> = {
  'build-tokens': 'a-build-token',
  'admin-token': 'an-admin-token-of-32-characters-',
  'database-url': 'postgres://sealpost:secret@postgres/sealpost',
  'postgres-password': 'secret',
  's3-secret-key': 'secret',
};

/** Reads a file as the engine does: with variables replaced, also by the defaults in the file. */
function composeIn(name: string): Compose {
  const text = readFileSync(join(deploy, name), 'utf8');
  const filled = text.replaceAll(/\$\{(\w+)(?:(:-|:\?)([^}]*))?\}/g, (_, key: string, kind: string, rest: string) => {
    const value = GIVEN[key] ?? (kind === ':-' ? rest : undefined);
    assert.ok(value !== undefined, `${name}: nothing sets ${key}`);
    return value;
  });
  // The tag tells the engine to drop what another file says. It does not change the value itself.
  return parse(filled.replaceAll('!override', ''), { merge: true }) as Compose;
}

/** Returns the variables of a server, with the paths of secrets changed to those of files that the test has. */
function variablesOf({ environment = {}, secrets = [] }: Service): Record<string, string> {
  const paths = new Map(secrets.map((name) => [`/run/secrets/${name}`, name]));
  return Object.fromEntries(
    Object.entries(environment).map(([key, value]) => {
      if (!key.endsWith('_FILE')) return [key, value];
      const secret = paths.get(value);
      assert.ok(secret, `${key} is ${value}, and the service has no such secret`);
      const file = join(folder, secret);
      writeFileSync(file, SECRETS[secret] ?? '');
      return [key, file];
    }),
  );
}

/** Returns what breaks the schema of the Compose Specification, which the linter `dclint` carries. */
function schemaFaults(file: object): string[] {
  const path = new URL('schemas/compose.schema.json', import.meta.resolve('dclint/package.json'));
  const ajv = new Ajv({ allErrors: true, strict: false });
  // The schema names its version by an address that the library does not know; it is the usual version.
  const { $schema: _, ...schema } = JSON.parse(readFileSync(path, 'utf8')) as { readonly $schema: string };
  const fits = ajv.compile(schema);
  fits(file);
  return (fits.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

for (const name of ['compose.yaml', 'cluster.yaml', 'database.yaml'])
  test(`${name} fits the schema of the Compose Specification`, () =>
    assert.deepEqual(schemaFaults(composeIn(name)), []));

test('a wrong key, a number as a duration and a text as a list break the schema', () => {
  const { services, ...rest } = composeIn('compose.yaml');
  const [[name, service]] = Object.entries(services) as [[string, Service]];
  for (const [wrong, told] of [
    [{ read_onyl: true }, /read_onyl/],
    [{ stop_grace_period: 30 }, /stop_grace_period must be string/],
    [{ networks: 'front' }, /networks/],
  ] as const) {
    const faults = schemaFaults({ ...rest, services: { ...services, [name]: { ...service, ...wrong } } });
    assert.match(faults.join('\n'), told);
  }
});

const configOf = (service: Service) =>
  loadConfig('serve', {
    flags: {},
    env: { SEALPOST_HOST: '0.0.0.0', SEALPOST_DATA_DIR: IMAGE_DATA, ...variablesOf(service) },
  });
const isServer = ({ image }: Service): boolean => basename(image).startsWith('sealpost:');

for (const name of ['compose.yaml', 'cluster.yaml']) {
  describe(name, () => {
    const { services, secrets, volumes, networks } = composeIn(name);
    const servers = Object.values(services).filter(isServer);

    test('names only secrets, volumes, networks and services that it declares', () => {
      for (const [key, service] of Object.entries(services)) {
        for (const secret of service.secrets ?? []) assert.ok(secret in secrets, `${key}: ${secret}`);
        for (const network of service.networks) assert.ok(network in networks, `${key}: ${network}`);
        const mounted = (service.volumes ?? []).map((volume) => volume.split(':')[0] ?? '');
        for (const volume of mounted) assert.ok(volume.startsWith('./') || volume in volumes, `${key}: ${volume}`);
        const { depends_on: needed = [] } = service;
        for (const other of Array.isArray(needed) ? needed : Object.keys(needed)) assert.ok(other in services, other);
      }
    });

    test('runs the image as it is meant to run: read-only, with its volume, its port and its health check', () => {
      assert.ok(servers.length > 0);
      const data = servers.flatMap((service) => service.volumes ?? []);
      assert.equal(new Set(data).size, servers.length, 'each server has a volume of its own');
      for (const service of servers) {
        assert.equal(service.read_only, true);
        assert.deepEqual(service.tmpfs, ['/tmp']);
        assert.equal(service.volumes?.[0]?.split(':')[1], IMAGE_DATA);
        assert.deepEqual(service.healthcheck?.test, ['CMD', ...HEALTH_CHECK]);
        // Only the proxy listens for strangers.
        for (const port of service.ports ?? []) assert.equal(port, `127.0.0.1:${IMAGE_PORT}:${IMAGE_PORT}`);
      }
    });

    test('has settings with which a server starts, and a build token that is not public', () => {
      const [subnet = ''] = Object.values(networks).flatMap(({ ipam }) => ipam.config.map((one) => one.subnet));
      for (const service of servers) {
        const config = configOf(service);
        assert.deepEqual(config.buildTokens, [SECRETS['build-tokens']]);
        assert.equal(config.publicUrl, 'https://chat.example.org');
        assert.equal(config.trustedProxies.length, 1);
        assert.ok(config.trustedProxies[0]?.startsWith(subnet.slice(0, subnet.lastIndexOf('.'))));
      }
    });
  });
}

test('the three servers share database, bus, objects and admin token, and the proxy knows all of them', () => {
  const { services } = composeIn('cluster.yaml');
  const servers = Object.entries(services).filter(([, service]) => isServer(service));
  assert.equal(servers.length, 3);
  const shared = servers.map(([, service]) => {
    const { database, busUrl, objects, adminToken } = configOf(service);
    assert.deepEqual([database.kind, objects.kind], ['postgres', 's3']);
    return { database, busUrl, adminToken };
  });
  for (const one of shared) assert.deepEqual(one, shared[0]);
  const proxy = readFileSync(join(deploy, 'Caddyfile'), 'utf8');
  const [, upstreams = ''] = /reverse_proxy (.*) \{/.exec(proxy) ?? [];
  assert.deepEqual(
    upstreams.split(' '),
    servers.map(([name]) => `${name}:${IMAGE_PORT}`),
  );
  assert.match(proxy, /flush_interval -1/);
  // The proxy sees a server that drains, and has time to.
  assert.match(proxy, /health_uri \/readyz/);
  for (const [, service] of servers) {
    const { drainMs } = configOf(service);
    assert.ok(drainMs >= 10_000, `drains for ${drainMs} ms`);
    assert.ok(Number.parseInt(String(service.stop_grace_period), 10) * 1000 >= drainMs + 20_000);
  }
});

test('the proxies of the samples let the administration pages reach the admin API, and hide what strangers need not see', () => {
  const operating = readFileSync(join(deploy, '../../docs/operating.md'), 'utf8');
  /** Returns a part of a text without its comments, which are lines to switch on. */
  const inForce = (text: string): string => text.replaceAll(/^\s*#.*\n/gm, '');
  const [, nginx = ''] = /^For nginx.*?\n\n(.*?)\n\n(?=\S)/ms.exec(operating) ?? [];
  assert.match(inForce(nginx), /location \/api\/admin\/ \{\s*proxy_pass http:\/\/sealpost;\s*\}/);
  for (const hidden of ['metrics', 'readyz'])
    assert.ok(nginx.includes(`location = /${hidden} { return 404; }`), hidden);
  const [, caddy = ''] = /^For Caddy.*?\n\n(.*?)\n\n(?=\S)/ms.exec(operating) ?? [];
  for (const sample of [caddy, readFileSync(join(deploy, 'Caddyfile'), 'utf8')]) {
    assert.match(inForce(sample), /@private path \/metrics \/readyz\s+respond @private 404\s+reverse_proxy /);
    assert.match(sample, /# @strangers \{\s+#\s+path \/api\/admin\/\*/);
  }
  assert.match(nginx, /# allow .*\n +# deny all;/);
});

describe('database.yaml', () => {
  const { services, volumes } = composeIn('database.yaml');
  const cluster = composeIn('cluster.yaml');
  const read = (name: string): string => readFileSync(join(deploy, name), 'utf8');
  const nodes = Object.entries(services).filter(([, { environment }]) => environment?.PATRONI_NAME);

  test('names only volumes, networks, files and services that it or cluster.yaml has', () => {
    for (const [key, service] of Object.entries(services)) {
      for (const network of service.networks) assert.ok(network in cluster.networks, `${key}: ${network}`);
      for (const other of (service.depends_on as readonly string[] | undefined) ?? [])
        assert.ok(other in services, other);
      for (const volume of service.volumes ?? []) {
        const [from = ''] = volume.split(':');
        if (from.startsWith('./')) read(from);
        else assert.ok(from in volumes, `${key}: ${from}`);
      }
    }
  });

  test('takes the place of the PostgreSQL of cluster.yaml, with the role and the password of its servers', () => {
    assert.ok('postgres' in cluster.services && 'postgres' in services);
    const { username, password, pathname } = new URL(SECRETS['database-url'] as string);
    assert.match(read('database.sql'), new RegExp(`create role ${username} login password :'password'`));
    assert.match(read('database.sql'), new RegExp(`create database ${pathname.slice(1)} owner ${username} `));
    for (const [, { environment }] of nodes) assert.equal(environment?.SEALPOST_DATABASE_PASSWORD, password);
  });

  test('gives HAProxy every address that its file wants, and these are the nodes', () => {
    const { environment = {} } = services.postgres as Service;
    const wanted = [...read('haproxy.cfg').matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name);
    assert.deepEqual(Object.keys(environment).sort(), wanted.sort());
    assert.equal(nodes.length, 2);
    for (const [at, [, { environment: node = {} }]] of nodes.entries()) {
      const patroni = `:${environment[`DATABASE_${at + 1}_PATRONI`]}`;
      assert.equal(environment[`DATABASE_${at + 1}`], node.PATRONI_POSTGRESQL_CONNECT_ADDRESS);
      assert.ok(
        node.PATRONI_RESTAPI_LISTEN?.endsWith(patroni) && node.PATRONI_RESTAPI_CONNECT_ADDRESS?.endsWith(patroni),
      );
    }
  });

  test('is built from the packages that the tests use', () => {
    for (const { build } of Object.values(services)) {
      const [, packages = ''] = /--no-install-recommends (.*) \\$/m.exec(build?.dockerfile_inline ?? '') ?? [];
      assert.deepEqual(packages.split(' '), packagesOf.patroni);
    }
  });
});
