import type { Mutant } from '../scripts/mutants/mutant.ts';

const secrets = 'packages/testing/test/record/secrets.test.ts';
const replay = 'packages/testing/test/record/replay.test.ts';
const against = 'packages/testing/test/record/against.test.ts';
const signature = 'packages/testing/test/explain/signature.test.ts';

export default [
  {
    name: 'secrets inside of JSON text are not found',
    file: 'packages/testing/src/record/vault.ts',
    find: '/^\\s*[[{]/.test(value) ? this.cleanJson(value) : this.cleanValue(value)',
    replace: 'this.cleanValue(value)',
    tests: [secrets],
    pattern: 'in other writings',
  },
  {
    name: 'percent-encoded secrets stay',
    file: 'packages/testing/src/record/vault.ts',
    find: '[value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)]',
    replace: '[value]',
    tests: [secrets],
    pattern: 'canaries',
  },
  {
    name: 'arguments without names are not secret',
    file: 'packages/testing/src/record/redact.ts',
    find: 'learnField(vault, name, value[at]);',
    replace: 'learnFields(vault, value[at]);',
    tests: [secrets],
    pattern: 'arguments that only the contract names',
  },
  {
    name: 'a broken body with positional secrets is kept',
    file: 'packages/testing/src/record/redact.ts',
    find: 'body: positional ? cleanWhole(vault, body) : cleanBody(vault, body),',
    replace: 'body: cleanBody(vault, body),',
    tests: [secrets],
    pattern: 'not whole JSON',
  },
  {
    name: 'a recorded answer is served twice',
    file: 'packages/testing/src/record/matching.ts',
    find: '    found.served = true;\n',
    replace: '',
    tests: [replay],
    pattern: 'in order',
  },
  {
    name: 'the session of a call does not matter',
    file: 'packages/testing/src/record/matching.ts',
    find: 'free.filter((one) => one.call.accessToken === call.accessToken)',
    replace: 'free',
    tests: [replay],
    pattern: 'two accounts',
  },
  {
    name: 'an id may become another one later',
    file: 'packages/testing/src/record/bindings.ts',
    find: '    if (known !== undefined) return String(known) === String(present);\n',
    replace: '    if (known !== undefined) return true;\n',
    tests: [against],
    pattern: 'somebody else',
  },
  {
    name: 'a call that exceeds a rate limit is a difference',
    file: 'packages/testing/src/record/against.ts',
    find: 'if (!isLimited || seconds',
    replace: 'if (isLimited || seconds',
    tests: [against],
    pattern: 'rate limit',
  },
  {
    name: 'only the first build token is tried',
    file: 'packages/testing/src/explain/signature.ts',
    find: 'known.buildTokens.map((buildToken)',
    replace: 'known.buildTokens.slice(0, 1).map((buildToken)',
    tests: [signature],
    pattern: 'any of the accepted',
  },
] as const satisfies readonly Mutant[];
