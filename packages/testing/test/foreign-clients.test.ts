// Grades two small clients that were written from the documentation alone. Their reports say plainly what they lack, and
// say the same each time.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { commandClient, type GradedScenario, gradeClient, gradesText, selectScenarios } from '@sealpost/testing/grades';

const python = ['python3', join(import.meta.dirname, 'clients/echo_bot.py')];
const shell = ['bash', join(import.meta.dirname, 'clients/echo-bot.sh')];

const grade = (command: readonly string[], only: readonly string[]) =>
  gradeClient({
    client: commandClient(command),
    name: command.join(' '),
    scenarios: selectScenarios(only),
    patienceMs: 20_000,
    parallel: 2,
  });

const kinds = (graded: readonly GradedScenario[]) =>
  Object.fromEntries(graded.map(({ scenario, grade }) => [scenario.id, grade.kind]));

/** What a report says about a scenario, without what differs from run to run: times, and what programs wrote. */
const said = (graded: readonly GradedScenario[]) => graded.map(({ scenario, grade }) => [scenario.id, grade]);

describe('a client in Python', { concurrency: 2 }, () => {
  test('what it does right, what it does wrong, and what it never does', async () => {
    const { graded } = await grade(python, [
      'login/credential',
      'tokens/refresh-on-119',
      'tokens/scheduled',
      'stream/resume-after-cut',
      'sending/lost-request',
      'groups/join',
      'groups/create',
      'sealing/open-and-answer',
      'media/upload',
    ]);
    assert.deepEqual(kinds(graded), {
      'login/credential': 'pass',
      'tokens/refresh-on-119': 'pass',
      'tokens/scheduled': 'fail',
      'stream/resume-after-cut': 'pass',
      'sending/lost-request': 'pass',
      'groups/join': 'pass',
      'groups/create': 'not reached',
      'sealing/open-and-answer': 'not reached',
      'media/upload': 'not reached',
    });
  });

  test('its report is the same each time, and says how to reach the rest', async () => {
    const only = ['tokens/scheduled', 'groups/create', 'login/confirmation'];
    const [first, second] = [await grade(python, only), await grade(python, only)];
    assert.deepEqual(said(first.graded), said(second.graded));
    const text = gradesText(first, (id) => `again ${id}`);
    assert.match(text, /FAIL {2}tokens\/scheduled\n +Tokens are renewed when their time has come/);
    assert.match(text, /seen: +none\n +a user sees: +The first message after some days away/);
    assert.match(
      text,
      /not reached: +the client answered "echo: !group Friends"\n +to reach it: +answer the text "!group/,
    );
    assert.match(text, /not reached: +the client ended with exit code 1/);
    assert.match(text, /3 scenarios: 0 passed, 1 failed, 2 not reached/);
  });
});

describe('a client in shell', { concurrency: 2 }, () => {
  test('what it does right, what it does wrong, and what it never does', async () => {
    const { graded } = await grade(shell, [
      'wire/signature-of-bodies',
      'stream/resume-after-cut',
      'tokens/refresh-on-119',
      'sending/lost-request',
      'groups/join',
      'reading/history-to-its-end',
    ]);
    assert.deepEqual(kinds(graded), {
      'wire/signature-of-bodies': 'pass',
      'stream/resume-after-cut': 'pass',
      'tokens/refresh-on-119': 'fail',
      'sending/lost-request': 'fail',
      'groups/join': 'not reached',
      'reading/history-to-its-end': 'not reached',
    });
  });

  test('a client that ends at once passes nothing', async () => {
    const { graded } = await grade(['false'], ['login/credential', 'stream/ping', 'wire/access-token']);
    assert.deepEqual([...new Set(graded.map(({ grade }) => grade.kind))], ['not reached']);
  });

  test('a command that does not exist is told, and gets no grade', async () => {
    await assert.rejects(grade(['/no/such/client'], ['login/credential']), /cannot be started/);
  });
});
