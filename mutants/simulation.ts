import type { Mutant } from '../scripts/mutants/mutant.ts';

const tests = ['packages/server/test/simulation/simulation.test.ts'];
const pattern = 'seeds keep the rules';

export default [
  {
    name: 'operations reach streams although their commit fails',
    file: 'packages/server/src/platform/store/sqlite-writer.ts',
    find: "      crashPoint('transaction.before-begin');\n      this.#beginOrRefuse();\n      taken = (await this.#takeTogether(turns)) ?? (await this.#takeApart(turns));\n",
    replace:
      "      crashPoint('transaction.before-begin');\n      this.#beginOrRefuse();\n      taken = (await this.#takeTogether(turns)) ?? (await this.#takeApart(turns));\n      runHooks(taken.hooks.splice(0), onError);\n",
    tests,
    pattern,
  },
  {
    name: 'a repeated reqSeq is not looked up',
    file: 'packages/server/src/platform/idempotency/mutations.ts',
    find: '        if (done) return JSON.parse(',
    replace: '        if (done && reqSeq < 0) return JSON.parse(',
    tests,
    pattern,
  },
  {
    name: 'a stream leaves out the revisions of which it was not told',
    file: 'packages/server/src/platform/stream/stream.ts',
    find: '    if (first.revision !== this.#position + 1) {\n',
    replace: '    if (first.revision < this.#position) {\n',
    tests,
    pattern,
  },
] satisfies Mutant[];
