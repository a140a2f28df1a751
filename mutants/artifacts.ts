import type { Mutant } from '../scripts/mutants/mutant.ts';

const compose = 'packages/cli/test/compose.test.ts';
const chart = 'packages/cli/test/chart.test.ts';
const cluster = 'deploy/compose/cluster.yaml';
const workload = 'deploy/helm/sealpost/templates/statefulset.yaml';

export default [
  {
    name: 'two servers share a data folder',
    file: cluster,
    find: '      - data-3:/var/lib/sealpost\n',
    replace: '      - data-2:/var/lib/sealpost\n',
    tests: [compose],
  },
  {
    name: 'the build token of a container is the public one',
    file: 'deploy/compose/compose.yaml',
    find: '      SEALPOST_BUILD_TOKENS_FILE: /run/secrets/build-tokens\n',
    replace: '',
    tests: [compose],
  },
  {
    name: 'the proxy buffers the stream',
    file: 'deploy/compose/Caddyfile',
    find: '\t\tflush_interval -1\n',
    replace: '',
    tests: [compose],
  },
  {
    name: 'the health check asks a program that the image does not have',
    file: 'scripts/packaging/artifacts/image.ts',
    find: '/healthy.mjs`];',
    replace: '/health.mjs`];',
    tests: [compose],
  },
  {
    name: 'the address of the database is among the values of the chart',
    file: workload,
    find: `            - name: SEALPOST_DATABASE_URL
              {{- include "sealpost.secret" (dict "name" $secret "key" "database-url") | nindent 14 }}`,
    replace: `            - name: SEALPOST_DATABASE_URL
              value: postgres://sealpost:secret@postgres/sealpost`,
    tests: [chart],
    needs: ['go'],
  },
  {
    name: 'a pod may write to its root',
    file: workload,
    find: '            readOnlyRootFilesystem: true\n',
    replace: '',
    tests: [chart],
    needs: ['go'],
  },
  {
    name: 'several servers start without objects that all of them reach',
    file: 'deploy/helm/sealpost/templates/check.yaml',
    find: '{{- if not .Values.objects.url }}',
    replace: '{{- if false }}',
    tests: [chart],
    needs: ['go'],
  },
] satisfies Mutant[];
