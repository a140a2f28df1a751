// The checks of the registration on servers that offer it to everybody, with an invite, and to nobody.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { registrationModes } from '@sealpost/contract/registration-names';
import { startServer } from '@sealpost/dev-env/harness';
import { createAdminClient } from '@sealpost/sdk/admin';
import { runChecks, selectChecks } from '../src/index.ts';

for (const registration of registrationModes) {
  test(`the checks of the registration pass where it is ${registration}, also at its limits`, async () => {
    const flags = { 'challenge-work': '5', 'registrations-per-address': '1', 'rate-registration': '100+50' };
    const server = await startServer({ flags: { ...flags, registration } });
    try {
      // In the second run, the address has opened as many accounts as it may.
      for (const run of ['first', 'second']) {
        const { outcomes } = await runChecks({
          target: { url: server.url, brand: 'Svc', buildToken: 'sealpost-dev', signature: 'strict' },
          admin: createAdminClient({ url: server.url, token: server.adminToken }),
          checks: selectChecks(['registration']),
        });
        const failed = outcomes.flatMap(({ check, failure }) => (failure ? [{ run, id: check.id, ...failure }] : []));
        assert.deepEqual(failed, []);
        assert.ok(outcomes.length > 0);
      }
    } finally {
      await server.close();
    }
  });
}
