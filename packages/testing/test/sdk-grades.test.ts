// Grades the SDK as the echo bot: every scenario must be reached and passed. Mutants of the SDK are noticed here, each by
// the scenario about it.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gradeClient, scenarios } from '@sealpost/testing/grades';
import { sdkClient } from './clients/sdk-client.ts';

describe('the SDK', { concurrency: 3 }, () => {
  for (const scenario of scenarios) {
    test(scenario.id, async () => {
      const { graded } = await gradeClient({ client: sdkClient, name: 'SDK', scenarios: [scenario] });
      assert.deepEqual(
        graded.map(({ grade }) => grade),
        [{ kind: 'pass' }],
        graded[0]?.output,
      );
    });
  }
});
