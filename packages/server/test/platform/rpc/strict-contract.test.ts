// Strict mode: a call fails and stores nothing if it appends an operation that its entry does not declare.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { predefinedReactionTypes } from '@sealpost/contract';
import { adminEndpoints } from '@sealpost/contract/admin';
import { type Emission, type MethodName, methodOf } from '@sealpost/contract/schemas';
import { databases, startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { importPack } from '@sealpost/dev-env/packs';
import { failsWith, operator } from '@sealpost/dev-env/people';
import Type from 'typebox';
import { ContractBroken, createStrictContract, type Emitted } from '../../../src/platform/rpc/strict-contract.ts';
import type { NewOperation } from '../../../src/platform/stream/operation-log.ts';

/** Runs a function while one entry of the contract declares other operations than usual. */
async function declaring(
  entry: { readonly summary: string; readonly emits?: readonly Emission[] },
  emits: readonly Emission[],
  work: () => Promise<void>,
): Promise<void> {
  const { emits: declared } = entry;
  Object.assign(entry, { emits });
  try {
    await work();
  } finally {
    Object.assign(entry, { emits: declared });
  }
}

const broken = (message: RegExp) => (error: unknown) => {
  assert.ok(error instanceof ContractBroken);
  assert.match(error.message, message);
  return true;
};

for (const database of databases) {
  describe(`strict mode on ${database}`, () => {
    let server: TestServer;
    let alice: TestUser;
    let bob: TestUser;
    let said = '';
    before(async () => {
      server = await startServer({ database });
      [alice, bob] = [await server.user('alice'), await server.user('bob')];
      said = (await alice.client.sendText(bob.mid, 'well?')).id;
    });
    after(() => server.close());

    const calls = {
      'TalkService.sendMessage': () =>
        alice.client.TalkService.sendMessage(alice.client.nextReqSeq(), { to: bob.mid, text: 'hello' }),
      'TalkService.react': () =>
        alice.client.TalkService.react({
          reqSeq: alice.client.nextReqSeq(),
          messageId: said,
          reactionType: { predefinedReactionType: predefinedReactionTypes.LOVE },
        }),
    } satisfies Partial<Record<MethodName, () => Promise<unknown>>>;
    const names = Object.keys(calls) as (keyof typeof calls)[];

    for (const name of names) {
      const entry = methodOf(name);
      const { emits = [] } = entry;
      const logs = async () => [(await alice.log()).length, (await bob.log()).length];

      test(`${name} passes as it is declared`, async () => {
        await calls[name]();
      });

      test(`${name} fails without one of its types`, async () => {
        const before = await logs();
        for (const missing of emits) {
          const { type, to } = missing;
          const rest = emits.filter((emission) => emission !== missing);
          const told = `${name} appended ${type} to ${to}: its entry must have { type: '${type}', to: '${to}' } in \`emits\``;
          await declaring(entry, rest, () =>
            assert.rejects(calls[name](), (error) => failsWith('UNKNOWN_ERROR')(error) && `${error}`.includes(told)),
          );
        }
        assert.deepEqual(await logs(), before);
      });

      test(`${name} fails if its operations are of other types`, async () => {
        const others = emits.map(({ to }): Emission => ({ type: 'UPDATE_PROFILE', to }));
        await declaring(entry, others, () =>
          assert.rejects(calls[name](), failsWith('UNKNOWN_ERROR', /: its entry must have/)),
        );
      });

      test(`${name} fails if its operations are for somebody else`, async () => {
        const others = emits.map(({ type, to }): Emission => ({ type, to: to === 'self' ? 'self' : 'friends' }));
        await declaring(entry, others, () =>
          assert.rejects(calls[name](), failsWith('UNKNOWN_ERROR', /to members: its entry must have/)),
        );
      });
    }

    test('an endpoint of the admin API fails likewise', async () => {
      const { id: product } = await importPack(server, { name: 'a pack', pictures: ['a'] });
      const grant = () => operator(server).grantProduct({ product, account: alice.mid });
      await declaring(adminEndpoints.grantProduct, [], () =>
        assert.rejects(grant(), {
          status: 500,
          detail: /admin\.grantProduct appended NOTIFIED_UPDATE_PURCHASES to self/,
        }),
      );
      await grant();
    });

    for (const [what, result] of [
      ['lacks a field', Type.Object({ entries: Type.Array(Type.Unknown()), total: Type.Number() })],
      ['is there and should not be', undefined],
    ] as const) {
      test(`a result of the admin API that ${what} fails its call`, async () => {
        const { result: declared } = adminEndpoints.listAudit;
        Object.assign(adminEndpoints.listAudit, { result });
        const own = await startServer({ database }).finally(() =>
          Object.assign(adminEndpoints.listAudit, { result: declared }),
        );
        try {
          await assert.rejects(operator(own).listAudit(), {
            status: 500,
            detail: /admin\.listAudit answered what its/,
          });
          assert.deepEqual(await operator(own).listNotices(), { notices: [] });
        } finally {
          await own.close();
        }
      });
    }

    describe('judges a call by its own entry', () => {
      const emitted: Emitted[] = [];
      const strict = createStrictContract((emission) => emitted.push(emission));
      const idOf = async ({ mid }: TestUser) => (await server.server.slices.accounts.show(mid))?.id ?? 0;
      const changed = (accountId: number, to: Emission['to']): NewOperation => ({
        ...{ accountId, to, type: 'UPDATE_CONTACT' },
        params: { mid: alice.mid },
      });
      const append = (...operations: NewOperation[]) =>
        strict.store(server.server.store).transact((tx) => strict.log(server.server.log).lockAndAppend(tx, operations));
      const declared = { emits: [{ type: 'UPDATE_CONTACT', to: 'self' }] } as const;

      test('operations declared for the caller fail for others, and the other way round', async () => {
        const [own, other] = [await idOf(alice), await idOf(bob)];
        const run = (accountId: number, to: Emission['to']) =>
          strict.run({ name: 'a call', entry: { emits: [{ type: 'UPDATE_CONTACT', to }] } }, { accountId: own }, () =>
            append(changed(accountId, to)),
          );
        await run(own, 'self');
        await run(other, 'target');
        await assert.rejects(run(other, 'self'), broken(/to self, and account \d+ is not the caller's/));
        await assert.rejects(run(own, 'target'), broken(/to target, and account \d+ is the caller's/));
      });

      test('a call without a caller is about one account', async () => {
        const [own, other] = [await idOf(alice), await idOf(bob)];
        const both = () => append(changed(own, 'self'), changed(other, 'self'));
        await assert.rejects(
          strict.run({ name: 'a call', entry: declared }, undefined, both),
          broken(/is not the caller's/),
        );
        await strict.run({ name: 'a call', entry: declared }, undefined, () => append(changed(other, 'self')));
      });

      test('calls that wait for the database together are not taken for each other', async () => {
        const accountId = await idOf(alice);
        const run = (entry: { readonly emits?: readonly Emission[] }) =>
          strict.run({ name: 'a call', entry: entry }, { accountId }, () => append(changed(accountId, 'self')));
        const outcomes = await Promise.allSettled([run(declared), run({}), run(declared), run({})]);
        assert.deepEqual(
          outcomes.map(({ status }) => status),
          ['fulfilled', 'rejected', 'fulfilled', 'rejected'],
        );
      });

      test('sends that share a transaction are judged by their own entries', async () => {
        const accountId = await idOf(alice);
        const log = strict.log(server.server.log);
        const send = strict.store(server.server.store).grouped(
          async (tx, items: readonly number[]) => {
            await log.lockAndAppend(
              tx,
              items.map((id) => changed(id, 'self')),
            );
            return items;
          },
          () => [],
        );
        const run = (entry: { readonly emits?: readonly Emission[] }) =>
          strict.run({ name: 'a send', entry: entry }, { accountId }, () => send(accountId));
        await Promise.all([run(declared), run(declared)]);
        await assert.rejects(run({}), broken(/a send appended/));
      });

      test('a call fails even if its handler catches the error', async () => {
        const accountId = await idOf(alice);
        const work = () => append(changed(accountId, 'self')).catch(() => {});
        await assert.rejects(
          strict.run({ name: 'a call', entry: {} }, { accountId }, work),
          broken(/its entry must have/),
        );
      });

      test('nothing is appended outside of calls', async () => {
        const accountId = await idOf(alice);
        await assert.rejects(append(changed(accountId, 'self')), broken(/no call is there to declare it/));
      });

      test('appended operations are noted once they are durable', async () => {
        const accountId = await idOf(alice);
        emitted.length = 0;
        const fails = () =>
          strict.store(server.server.store).transact(async (tx) => {
            await strict.log(server.server.log).lockAndAppend(tx, [changed(accountId, 'self')]);
            throw new Error('this transaction fails');
          });
        await assert.rejects(
          strict.run({ name: 'a call', entry: declared }, { accountId }, fails),
          /this transaction fails/,
        );
        assert.deepEqual(emitted, []);
        await strict.run({ name: 'a call', entry: declared }, { accountId }, () => append(changed(accountId, 'self')));
        const { revision } = await server.server.store.read((reader) => server.server.log.head(reader, accountId));
        assert.deepEqual(emitted, [{ endpoint: 'a call', type: 'UPDATE_CONTACT', to: 'self', accountId, revision }]);
      });
    });
  });
}
