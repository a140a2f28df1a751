// Renders the chart for Kubernetes as Helm does, and checks what comes out: a server accepts its settings, probes and
// limits are there, and no secret is in it.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { loadConfig } from '@sealpost/server';
import { parse, parseAllDocuments } from 'yaml';
import { CONTAINER_USER } from '../../../scripts/packaging/artifacts/base-image.ts';
import { IMAGE_DATA, IMAGE_PORT } from '../../../scripts/packaging/artifacts/image.ts';
import { kubernetesFaults } from './chart/kubernetes-faults.ts';

const go = process.env.SEALPOST_TEST_GO;
const skip = go ? false : 'there is no Go: set SEALPOST_TEST_GO';
const chart = join(import.meta.dirname, '../../../deploy/helm/sealpost');

interface Variable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: { readonly secretKeyRef: { readonly name: string; readonly key: string } };
}

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}

interface Container {
  readonly image: string;
  readonly env: readonly Variable[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly securityContext: Readonly<Record<string, unknown>>;
  readonly resources: { readonly requests: object; readonly limits: object };
  readonly livenessProbe: Probe;
  readonly readinessProbe: Probe;
  readonly startupProbe: Probe;
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
}

type Labels = Readonly<Record<string, string>>;

/** The parts of a document that the tests read. */
interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels: Labels; readonly annotations?: Labels };
  readonly spec: {
    readonly replicas: number;
    readonly serviceName: string;
    readonly selector: Labels & { readonly matchLabels: Labels };
    readonly maxUnavailable: number;
    readonly ports: readonly { readonly name: string; readonly port: number; readonly targetPort: string }[];
    readonly rules: readonly { readonly http: { readonly paths: readonly { readonly path: string }[] } }[];
    readonly template: {
      readonly metadata: { readonly labels: Labels };
      readonly spec: {
        readonly securityContext: Readonly<Record<string, unknown>>;
        readonly containers: readonly Container[];
        readonly volumes: readonly { readonly name: string }[];
      };
    };
    readonly volumeClaimTemplates: readonly { readonly metadata: { readonly name: string } }[];
  };
}

type Values = Readonly<Record<string, unknown>>;

const read = (name: string) => parse(readFileSync(join(chart, name), 'utf8')) as Record<string, object | string>;
const values = read('values.yaml');
const about = read('Chart.yaml');

/** The values of one server, and of several on PostgreSQL, NATS and S3. */
const ONE: Values = { publicUrl: 'https://chat.example.org', secretName: 'sealpost' };
const SEVERAL: Values = {
  ...ONE,
  replicas: 3,
  database: { external: true },
  bus: { url: 'nats://nats:4222' },
  objects: { url: 's3://sealpost', endpoint: 'https://s3.example.org', region: 'us-east-1', accessKey: 'key' },
  settings: { SEALPOST_MEDIA_DAYS: '30' },
  ingress: { ...(values.ingress as object), enabled: true, className: 'nginx', tlsSecretName: 'certificate' },
};
/** What the secret of the operator contains. */
const SECRETS: Labels = {
  'build-tokens': 'a-build-token',
  'admin-token': 'an-admin-token-of-32-characters-',
  'database-url': 'postgres://sealpost:secret@postgres/sealpost',
  's3-secret-key': 'secret',
};

describe('the chart', { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'sealpost-chart-'));
  const program = join(folder, 'render');
  before(() => {
    const env = { ...process.env, GOCACHE: join(folder, 'cache'), CGO_ENABLED: '0' };
    execFileSync(go ?? '', ['build', '-o', program, join(import.meta.dirname, 'chart/render.go')], { env });
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  function run(changed: Values) {
    const input = JSON.stringify({
      Folder: join(chart, 'templates'),
      Values: { ...values, ...changed },
      Chart: { Name: about.name, Version: about.version, AppVersion: about.appVersion },
      Release: { Name: 'chat', Service: 'Helm' },
    });
    return spawnSync(program, { input, encoding: 'utf8' });
  }

  /** Returns the documents by kind. */
  function render(changed: Values): ReadonlyMap<string, readonly Manifest[]> {
    const { status, stdout, stderr } = run(changed);
    assert.equal(status, 0, stderr);
    const documents = parseAllDocuments(stdout, { uniqueKeys: true });
    const kinds = new Map<string, Manifest[]>();
    for (const document of documents) {
      assert.deepEqual(document.errors, []);
      const manifest = document.toJS() as Manifest | null;
      if (manifest) kinds.set(manifest.kind, [...(kinds.get(manifest.kind) ?? []), manifest]);
    }
    return kinds;
  }
  const first = () => render(ONE);
  const several = () => render(SEVERAL);
  const workloadOf = (kinds: ReadonlyMap<string, readonly Manifest[]>): Manifest => {
    const [workload] = kinds.get('StatefulSet') ?? [];
    assert.ok(workload);
    return workload;
  };
  const containerOf = ({ spec }: Manifest): Container => {
    const [container] = spec.template.spec.containers;
    assert.ok(container);
    return container;
  };

  test('all manifests fit the API of Kubernetes, and a wrong field, type or kind does not', () => {
    const manifests = [...first().values(), ...several().values()].flat();
    assert.ok(manifests.length >= 6);
    assert.deepEqual(kubernetesFaults(manifests), []);
    const workload = workloadOf(first());
    const { spec } = workload;
    const changed = (fields: object): Manifest => ({ ...workload, ...fields });
    const pod = (fields: object): Manifest =>
      changed({ spec: { ...spec, template: { ...spec.template, spec: { ...spec.template.spec, ...fields } } } });
    for (const [wrong, told] of [
      [pod({ terminationGraceSeconds: 60 }), /"terminationGraceSeconds"' does not exist/],
      [pod({ terminationGracePeriodSeconds: '60' }), /terminationGracePeriodSeconds/],
      [changed({ spec: { ...spec, serviceName: undefined, template: undefined } }), /template/],
      [changed({ apiVersion: 'apps/v9' }), /apps\/v9 StatefulSet is no known kind/],
    ] as const)
      assert.match(kubernetesFaults([wrong]).join('\n'), told);
  });

  test('one server has a volume, and several have a budget and an ingress that does not buffer', () => {
    assert.deepEqual([...first().keys()].sort(), ['Service', 'StatefulSet']);
    const kinds = several();
    assert.deepEqual([...kinds.keys()].sort(), ['Ingress', 'PodDisruptionBudget', 'Service', 'StatefulSet']);
    assert.equal(workloadOf(kinds).spec.replicas, 3);
    assert.equal(kinds.get('PodDisruptionBudget')?.[0]?.spec.maxUnavailable, 1);
    const { annotations = {} } = kinds.get('Ingress')?.[0]?.metadata ?? {};
    assert.equal(annotations['nginx.ingress.kubernetes.io/proxy-buffering'], 'off');
    assert.equal(annotations['nginx.ingress.kubernetes.io/proxy-request-buffering'], 'off');
  });

  test('services, budget and workload choose the same pods, by labels that the pods have', () => {
    const kinds = several();
    const { spec } = workloadOf(kinds);
    const services = kinds.get('Service') ?? [];
    const chosen = [
      spec.selector.matchLabels,
      kinds.get('PodDisruptionBudget')?.[0]?.spec.selector.matchLabels,
      ...services.map((service) => service.spec.selector),
    ];
    for (const labels of chosen) assert.deepEqual(labels, spec.selector.matchLabels);
    for (const [name, value] of Object.entries(spec.selector.matchLabels))
      assert.equal(spec.template.metadata.labels[name], value);
    assert.ok(services.some(({ metadata }) => metadata.name === spec.serviceName));
    const ports = new Set(containerOf(workloadOf(kinds)).ports.map(({ name }) => name));
    for (const service of services) for (const { targetPort } of service.spec.ports) assert.ok(ports.has(targetPort));
  });

  test('a pod has no privileges, a read-only root, probes and limits, and mounts what it declares', () => {
    for (const kinds of [first(), several()]) {
      const { spec } = workloadOf(kinds);
      const pod = spec.template.spec;
      const container = containerOf(workloadOf(kinds));
      assert.equal(pod.securityContext.runAsUser, CONTAINER_USER);
      assert.equal(pod.securityContext.fsGroup, CONTAINER_USER);
      assert.equal(pod.securityContext.runAsNonRoot, true);
      assert.equal(container.securityContext.readOnlyRootFilesystem, true);
      assert.equal(container.securityContext.allowPrivilegeEscalation, false);
      assert.deepEqual(container.securityContext.capabilities, { drop: ['ALL'] });
      assert.equal(container.livenessProbe.httpGet.path, '/livez');
      assert.equal(container.startupProbe.httpGet.path, '/livez');
      assert.equal(container.readinessProbe.httpGet.path, '/readyz');
      assert.ok('memory' in container.resources.limits && 'cpu' in container.resources.requests);
      assert.equal(container.ports[0]?.containerPort, IMAGE_PORT);
      const volumes = new Set(
        [...pod.volumes, ...spec.volumeClaimTemplates.map(({ metadata }) => metadata)].map(({ name }) => name),
      );
      for (const { name } of container.volumeMounts) assert.ok(volumes.has(name), name);
      assert.deepEqual(
        container.volumeMounts.map(({ mountPath }) => mountPath),
        [IMAGE_DATA, '/tmp'],
      );
    }
  });

  test('a server starts with its settings, and secrets come by reference only', () => {
    for (const [kinds, database] of [
      [first(), 'sqlite'],
      [several(), 'postgres'],
    ] as const) {
      const { env } = containerOf(workloadOf(kinds));
      const given = env.map(({ name, value, valueFrom }) => {
        if (valueFrom === undefined) return [name, value ?? ''];
        assert.equal(valueFrom.secretKeyRef.name, ONE.secretName);
        return [name, SECRETS[valueFrom.secretKeyRef.key] ?? ''];
      });
      const image = { SEALPOST_HOST: '0.0.0.0', SEALPOST_DATA_DIR: IMAGE_DATA };
      const config = loadConfig('serve', { flags: {}, env: { ...image, ...Object.fromEntries(given) } });
      assert.equal(config.database.kind, database);
      assert.deepEqual(config.buildTokens, ['a-build-token']);
      const plain = env.filter(({ value }) => value !== undefined).map(({ name }) => name);
      assert.deepEqual(
        plain.filter((name) => /TOKEN|SECRET|DATABASE_URL/.test(name)),
        [],
      );
    }
  });

  test('values with which no server would start are refused', () => {
    for (const [changed, reason] of [
      [{}, /publicUrl must be the https address/],
      [{ publicUrl: 'http://chat.example.org', secretName: 'sealpost' }, /publicUrl must be the https address/],
      [{ publicUrl: ONE.publicUrl }, /secretName must name a secret/],
      [{ ...ONE, replicas: 2 }, /several replicas need PostgreSQL/],
      [{ ...ONE, replicas: 2, database: { external: true } }, /several replicas need objects/],
    ] as const) {
      const { status, stderr } = run(changed);
      assert.equal(status, 1);
      assert.match(stderr, reason);
    }
  });
});
