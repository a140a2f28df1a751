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
    find: '          if (done) return resultOf<T>(done);',
    replace: '          if (done && reqSeq < 0) return resultOf<T>(done);',
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
  {
    name: 'a lost renewal is not repeated',
    file: 'packages/server/src/slices/sessions/rotation.ts',
    find: '    if (!token || token.used) return undefined;\n',
    replace: '    if (!token || token.used || family.generation > 0) return undefined;\n',
    tests,
    pattern,
  },
  {
    name: 'a session in memory is never read again',
    file: 'packages/server/src/slices/sessions/session-cache.ts',
    find: 'entry.freshUntil > clock.monotonic()',
    replace: 'entry.freshUntil > 0',
    tests,
    pattern,
  },
  {
    name: 'an unfinished hash goes on although another server received bytes meanwhile',
    file: 'packages/server/src/slices/media/uploads.ts',
    find: 'kept?.at === received ? kept.hash : undefined',
    replace: 'kept ? kept.hash : undefined',
    tests,
    pattern,
  },
  {
    name: 'a resumed upload counts against the quota again',
    file: 'packages/server/src/slices/media/upload-slot.ts',
    find: 'bytes: reserved - (row?.reserved ?? 0) }',
    replace: 'bytes: reserved }',
    tests,
    pattern,
  },
  {
    name: 'a repeated registration adds another key',
    file: 'packages/server/src/slices/sealing/register-public-key.ts',
    find: '  if (same) return toPublicKey(same);\n',
    replace: '  if (same && reqSeq < 0) return toPublicKey(same);\n',
    tests,
    pattern,
  },
  {
    name: 'two servers write one object at once',
    file: 'packages/server/src/slices/media/upload-slot.ts',
    find: "if (row.writer === null || store.kind === 'sqlite' || row.lease_time <= clock.now()) return;",
    replace: "if (row.writer === null || store.kind !== 'sqlite' || row.lease_time <= clock.now()) return;",
    tests,
    pattern,
  },
  {
    name: 'the numbers of group keys fall with time',
    file: 'packages/server/src/slices/sealing/group-keys.ts',
    find: 'const groupKeyId = nextId(newest?.group_key_id ?? 0, clock.now());',
    replace: 'const groupKeyId = 4_000_000_000 - clock.now() / 1000;',
    tests,
    pattern,
  },
  {
    name: 'a group key stays valid when a member leaves or joins',
    file: 'packages/server/src/slices/chats/queries.ts',
    find: 'set version = version + 1, group_key_id = 0 where',
    replace: 'set version = version + 1 where',
    tests,
    pattern,
  },
  {
    name: 'a group key stays valid when a member registers another key',
    file: 'packages/server/src/slices/sealing/group-keys.ts',
    find: ' || key.group_key_covers !== newestOf(recipients)',
    replace: '',
    tests,
    pattern,
  },
] satisfies Mutant[];
