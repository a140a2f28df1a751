// A real server survives mutated requests: no answer is a fault of the server, no connection hangs, nothing leaks, and
// accounts that were not touched have what they had. `npm run abuse` sends more.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { abuse } from '@sealpost/dev-env/abuse/abuse';
import { shownFault, shownReport } from '@sealpost/dev-env/abuse/shown-report';
import { seed } from '@sealpost/dev-env/chance';
import { repeats } from '@sealpost/dev-env/repeats';

const REQUESTS = repeats(100_000);

test(`${REQUESTS} mutated requests do no harm`, async (t) => {
  const report = await abuse({ seed, from: 0, to: REQUESTS });
  t.diagnostic(shownReport(report));
  assert.deepEqual(
    report.faults.map((fault) => shownFault(seed, fault)),
    [],
  );
  assert.deepEqual(report.neverSent, [], 'no request was made of these operations');
  const succeeded = report.statuses.get('200') ?? 0;
  assert.ok(succeeded > REQUESTS / 50, `only ${succeeded} requests got past all checks`);
});
