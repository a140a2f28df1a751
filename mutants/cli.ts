import type { Mutant } from '../scripts/mutants/mutant.ts';

export default [
  {
    name: 'a name leads out of the folder',
    file: 'packages/cli/src/media/file-name.ts',
    find: "(name ?? '').split(/[/\\\\]/).at(-1) ?? ''",
    replace: "name ?? ''",
    tests: ['packages/cli/test/file-name.test.ts'],
  },
  {
    name: 'a name may be hidden',
    file: 'packages/cli/src/media/file-name.ts',
    find: "    .replace(/^[.\\s-]+/, '')\n",
    replace: '',
    tests: ['packages/cli/test/file-name.test.ts'],
  },
  {
    name: 'a name that some systems keep for themselves is used',
    file: 'packages/cli/src/media/file-name.ts',
    find: 'RESERVED.test(fit) ? `_${fit}` : fit',
    replace: 'fit',
    tests: ['packages/cli/test/file-name.test.ts'],
  },
  {
    name: 'a long name loses its extension',
    file: 'packages/cli/src/media/file-name.ts',
    find: "const extension = /\\.[^.]{1,16}$/.exec(name)?.[0] ?? '';",
    replace: "const extension = '';",
    tests: ['packages/cli/test/file-name.test.ts'],
  },
  {
    name: 'the help of a command shows the examples of all commands',
    file: 'packages/cli/src/examples.ts',
    find: 'rootOf(command)).includes(command)',
    replace: 'rootOf(command)).length > 0',
    tests: ['packages/cli/test/examples.test.ts'],
    pattern: 'nothing of other commands',
  },
] satisfies Mutant[];
