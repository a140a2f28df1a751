// Three servers on one database behind a balancer that is not sticky. Any server may take any call, so the rules of one
// server hold for all three together.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { runChecks, selectChecks } from '@sealpost/conformance';
import { startServer, type TestServer } from '@sealpost/dev-env/harness';
import { createAdminClient } from '@sealpost/sdk/admin';

const SERVERS = 3;
/** Ends of the ids of checks that one server answers alone, before it looks at the store. */
const ALONE = /\/(arguments|wrong-values|verb|signature)$/;
const skip = !process.env.SEALPOST_TEST_POSTGRES_URL && 'needs PostgreSQL';

describe('three servers behind one address', { skip }, () => {
  let cluster: TestServer;
  before(async () => {
    cluster = await startServer({ servers: SERVERS, flags: { 'login-confirmation': 'new-device' } });
  });
  after(() => cluster?.close());

  test('three servers pass the checks of everything that is stored', async () => {
    const { outcomes } = await runChecks({
      target: { url: cluster.url, brand: 'Svc', buildToken: 'sealpost-dev', signature: 'strict' },
      admin: createAdminClient({ url: cluster.url, token: cluster.adminToken }),
      checks: selectChecks().filter(({ id }) => !ALONE.test(id)),
    });
    const failed = outcomes.flatMap(({ check, failure }) => (failure ? [{ id: check.id, ...failure }] : []));
    assert.deepEqual(failed, []);
    assert.ok(outcomes.length > 0);
  });
});
