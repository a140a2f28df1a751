import type { Mutant } from '../scripts/mutants/mutant.ts';

const access = 'packages/server/test/start/metrics-access.test.ts';
const metrics = 'packages/server/test/platform/observability/metrics.test.ts';
const requestLog = 'packages/server/test/platform/observability/request-log.test.ts';
const readiness = 'packages/server/test/start/readiness.test.ts';
const dashboard = 'packages/server/test/platform/observability/dashboard.test.ts';

export default [
  {
    name: 'the metrics need no token',
    file: 'packages/server/src/start/server.ts',
    find: "access === 'token' ? metricsGate(gateDeps) : undefined",
    replace: 'undefined',
    tests: [access],
    pattern: 'need the admin token',
  },
  {
    name: 'metrics of their own address are also at that of the server',
    file: 'packages/server/src/start/server.ts',
    find: 'config.metrics.address ? undefined : metricsPage',
    replace: 'metricsPage',
    tests: [access],
    pattern: 'open, and nothing else is there',
  },
  {
    name: 'metrics at a public address are open',
    file: 'packages/server/src/start/config/metrics.ts',
    find: "    requireOwn(of('metrics-address'), address.host);\n",
    replace: '',
    tests: [access],
    pattern: 'never open to strangers',
  },
  {
    name: 'metrics that a proxy shows may be open',
    file: 'packages/server/src/start/config/config.ts',
    find: 'const telling = [publicUrl, proxies]',
    replace: 'const telling = [publicUrl]',
    tests: [access],
    pattern: 'never open to strangers',
  },
  {
    name: 'old operations count as delayed deliveries',
    file: 'packages/server/src/platform/stream/stream.ts',
    find: 'if (this.#current) this.#context.onDelivered(chunk.createdTime);',
    replace: 'this.#context.onDelivered(chunk.createdTime);',
    tests: [metrics],
    pattern: 'delivery is measured',
  },
  {
    name: 'a commit counts as one call',
    file: 'packages/server/src/platform/store/sqlite-writer.ts',
    find: '      committed(callers);\n',
    replace: '      committed(1);\n',
    tests: [metrics],
    pattern: 'share a commit',
  },
  {
    name: 'paths become labels',
    file: 'packages/server/src/platform/observability/observed-calls.ts',
    find: 'endpoint?.name ?? NO_ENDPOINT',
    replace: 'endpoint?.name ?? exchange.url',
    tests: [metrics],
    pattern: 'is one series',
  },
  {
    name: 'the request log tells the path of what nothing serves',
    file: 'packages/server/src/platform/observability/observed-web.ts',
    find: 'const endpoint = endpointOf(request, status);',
    replace: 'const endpoint = request.url;',
    tests: [requestLog],
    pattern: 'nothing that clients send',
  },
  {
    name: 'the request log takes the id that the client sent',
    file: 'packages/server/src/platform/observability/observed-calls.ts',
    find: 'endpoint, randomHex(random, ID_BYTES));',
    replace: "endpoint, exchange.header('x-request-id') ?? randomHex(random, ID_BYTES));",
    tests: [requestLog],
    pattern: 'nothing that clients send',
  },
  {
    name: 'the request log has the number of the account',
    file: 'packages/server/src/platform/observability/observed-calls.ts',
    find: 'account: tagOf(this.#caller.accountId)',
    replace: 'account: this.#caller.mid',
    tests: [requestLog],
    pattern: 'one line: endpoint',
  },
  {
    name: 'the log of errors has successes',
    file: 'packages/server/src/platform/observability/request-log.ts',
    find: "if (mode === 'all') lines.info",
    replace: 'lines.info',
    tests: [requestLog],
    pattern: 'log of errors',
  },
  {
    name: 'a lost bus makes a server unavailable',
    file: 'packages/server/src/start/readiness.ts',
    find: 'missing.some((name) => required.includes(name))',
    replace: 'missing.length > 0',
    tests: [readiness],
    pattern: 'degrades a server',
  },
  {
    name: 'an alert asks for a queue that is none',
    file: 'deploy/observability/alerts.yaml',
    find: 'sealpost_queue_length{queue="passwords"}',
    replace: 'sealpost_queue_length{queue="logins"}',
    tests: [dashboard],
    pattern: 'every label and every value',
  },
  {
    name: 'a panel asks for a metric that is none',
    file: 'deploy/observability/dashboard.json',
    find: 'sum by (instance) (sealpost_streams{',
    replace: 'sum by (instance) (sealpost_stream{',
    tests: [dashboard],
    pattern: 'every metric in them',
  },
] satisfies Mutant[];
