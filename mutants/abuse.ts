import type { Mutant } from '../scripts/mutants/mutant.ts';

const judge = 'packages/dev-env/src/abuse/judge.ts';
const exchange = 'packages/dev-env/src/abuse/exchange.ts';
const tests = ['packages/server/test/abuse/judges.test.ts'];

export default [
  {
    name: 'every status is declared',
    file: judge,
    find: 'status >= FAULT && !request.declared.includes(status)',
    replace: 'status >= FAULT && request.number < 0',
    tests,
    pattern: 'answers 500 once',
  },
  {
    name: 'a success without a signature is right',
    file: judge,
    find: 'status < SUCCESS && request.mustFail',
    replace: 'status < 0 && request.mustFail',
    tests,
    pattern: 'does not check signatures',
  },
  {
    name: 'silence is a closed connection',
    file: exchange,
    find: "setTimeout(() => finish('silent'), silenceMs)",
    replace: "setTimeout(() => finish('closed'), silenceMs)",
    tests,
    pattern: 'never answers once',
  },
  {
    name: 'a connection that is closed without an answer is right',
    file: judge,
    find: 'if (mustAnswer && answers.length < request.answers)',
    replace: 'if (mustAnswer && answers.length > request.answers)',
    tests,
    pattern: 'closes once without an answer',
  },
  {
    name: 'the end of the process is no fault',
    file: 'packages/dev-env/src/abuse/process-judge.ts',
    find: '...(ended === undefined ? [] :',
    replace: "...(ended === undefined || ended === '1' ? [] :",
    tests,
    pattern: 'of a process',
  },
] satisfies Mutant[];
