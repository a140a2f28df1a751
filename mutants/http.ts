import type { Mutant } from '../scripts/mutants/mutant.ts';

const http = 'packages/server/src/platform/http/connections.ts';
const cors = 'packages/server/src/platform/http/cors.ts';
const fixed = 'packages/server/src/platform/http/fixed-headers.ts';
const objects = 'packages/server/src/platform/rpc/object-requests.ts';
const admin = 'packages/server/src/platform/json-api/json-routes.ts';
const strict = 'packages/server/src/platform/rpc/strict-contract.ts';
const objectPaths = 'packages/server/src/platform/rpc/object-paths.ts';
const origins = 'packages/server/test/platform/http/origins.test.ts';
const headers = 'packages/server/test/platform/http/fixed-headers.test.ts';
const wire = 'packages/server/test/platform/http/wire.test.ts';
const web = 'packages/server/test/start/web.test.ts';

const released = 'packages/server/src/platform/http/released.ts';
const releasedTest = 'packages/server/test/platform/http/released.test.ts';

export default [
  {
    name: 'an object path may end with the name of an inherited property',
    file: objectPaths,
    find: "  const tail = TAILS.get(match?.[4] ?? '');",
    replace: "  const tail = (Object.fromEntries(TAILS) as Record<string, Tail>)[match?.[4] ?? ''];",
    tests: [wire],
    pattern: 'inherited property names nothing',
  },
  {
    name: 'HEAD of an object needs no login',
    file: objects,
    find: "  if (auth === 'none') return undefined;",
    replace: "  if (auth === 'none' || exchange.verb === 'HEAD') return undefined;",
    tests: ['packages/server/test/slices/media/head-access.test.ts'],
    pattern: 'HEAD of an object',
  },
  {
    name: 'pages of any origin may send cookies',
    file: cors,
    find: "anybody ? ['Access-Control-Allow-Origin', '*', ...common]",
    replace: "anybody ? ['Access-Control-Allow-Origin', text, 'Access-Control-Allow-Credentials', 'true', ...common]",
    tests: [origins],
    pattern: 'lets any page call',
  },
  {
    name: 'a wildcard stands for several labels',
    file: cors,
    find: 'labels.length === pattern.labels.length &&',
    replace: 'labels.length >= pattern.labels.length &&',
    tests: [origins],
    pattern: 'match whole',
  },
  {
    name: 'half a label may be a wildcard',
    file: cors,
    find: 'const LABEL = /^(?:\\*|',
    replace: 'const LABEL = /^(?:.*\\*.*|',
    tests: [origins],
    pattern: 'half a wildcard',
  },
  {
    name: 'the proxy of a stranger is believed',
    file: fixed,
    find: "!isTrusted(request?.socket.remoteAddress ?? '', 0)",
    replace: 'false',
    tests: [headers],
    pattern: 'each kind of answer',
  },
  {
    name: 'two hosts are taken for one',
    file: http,
    find: 'if (hosts === 1 ||',
    replace: 'if (hosts >= 1 ||',
    tests: [headers],
    pattern: 'has one Host',
  },
  {
    name: 'HTTP/0.9 is answered',
    file: http,
    find: "httpVersion === '1.1' || httpVersion === '1.0') return undefined;",
    replace: "httpVersion !== '') return undefined;",
    tests: [headers],
    pattern: 'of HTTP/0.9',
  },
  {
    name: 'an empty body that announces JSON is refused by the admin API',
    file: admin,
    find: 'body.length === 0 ? undefined : parseJson(body)',
    replace: 'parseJson(body)',
    tests: [web],
    pattern: 'takes an empty body',
  },
  {
    name: 'strict mode takes an operation of any type',
    file: strict,
    find: 'emission.type === type && emission.to === to',
    replace: 'emission.to === to',
    tests: ['packages/server/test/platform/rpc/strict-contract.test.ts'],
    pattern: 'are of other types',
  },
  {
    name: 'strict mode takes an operation to anybody',
    file: strict,
    find: 'emission.type === type && emission.to === to',
    replace: 'emission.type === type',
    tests: ['packages/server/test/platform/rpc/strict-contract.test.ts'],
    pattern: 'are for somebody else',
  },
  {
    name: 'strict mode takes the word of an operation for whose it is',
    file: strict,
    find: "(to === 'self') === (accountId === call.self)",
    replace: 'accountId > 0',
    tests: ['packages/server/test/platform/rpc/strict-contract.test.ts'],
    pattern: 'declared for the caller',
  },
  {
    name: 'every start of a server loads fetch',
    file: 'packages/server/src/platform/http/node-http.ts',
    find: "process.getBuiltinModule('node:http')",
    replace: "await import('node:http')",
    tests: ['packages/cli/test/loaded-modules.test.ts'],
    pattern: 'a server loads neither fetch',
  },
  {
    name: 'every start of a server loads the recognition of file types',
    file: 'packages/server/src/slices/media/inspect.ts',
    find: 'import { type Objects, wholeOf }',
    replace: "import 'file-type';\nimport { type Objects, wholeOf }",
    tests: ['packages/cli/test/loaded-modules.test.ts'],
    pattern: 'a server loads neither fetch',
  },
  {
    name: 'nobody learns of a fault in one request',
    file: 'packages/server/src/platform/http/connections.ts',
    find: '      onFault(error);\n      if (response.headersSent)',
    replace: '      if (response.headersSent)',
    tests: ['packages/server/test/platform/http/thrown.test.ts'],
    pattern: 'is answered 500',
  },
  {
    name: 'a connection that is released takes the parser away that is reading',
    file: released,
    find: 'setImmediate(() => socket.destroy());',
    replace: 'socket.destroy();',
    tests: [releasedTest],
    pattern: 'while its parser reads',
  },
  {
    name: 'the end of a connection that ends right after its release is not told',
    file: released,
    find: 'if (heir && !heir.closed)',
    replace: 'if (heir)',
    tests: [releasedTest],
    pattern: 'right after its release',
  },
  {
    name: 'the server does not wait for streams that have left its HTTP server',
    file: released,
    find: "  Reflect.set(socket, '_server', null);\n",
    replace: '',
    tests: [releasedTest],
    pattern: 'waits for its end',
  },
  {
    name: 'streams do not count among the connections of their address',
    file: released,
    find: 'if (heir && !heir.closed) onConnectionEnd(heir, ended);',
    replace: 'if (heir) ended();',
    tests: [releasedTest],
    pattern: 'streams count among',
  },
  {
    name: 'a connection is released while the head of the stream waits for it',
    file: released,
    find: ' || socket.writableLength > 0',
    replace: '',
    tests: [releasedTest],
    pattern: 'not written yet',
  },
] satisfies Mutant[];
