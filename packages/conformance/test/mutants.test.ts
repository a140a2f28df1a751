// Runs the kit against servers, each of which has one fault. The kit must notice the fault, and name the check that
// found it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { brandHeader, pathOf } from '@sealpost/contract';
import { registrationRoot } from '@sealpost/contract/registration-names';
import { startServer, type TestServer } from '@sealpost/dev-env/harness';
import { type Answer, type Exchange, type Fault, startFaultyGateway } from '@sealpost/dev-env/proxies/faulty-gateway';
import { type AdminClient, createAdminClient } from '@sealpost/sdk/admin';
import { runChecks, selectChecks, type Target } from '../src/index.ts';

interface Mutant extends Fault {
  /** The ids of the checks that must all fail. */
  readonly caughtBy: readonly string[];
}

const isCall = ({ path }: Exchange, name: Parameters<typeof pathOf>[0]) => path === pathOf(name);
const isOperation = (event: string) => event.includes('data: ') && !event.startsWith('event:');
const rewrite = (from: string | RegExp, to: string) => (answer: Answer) => ({
  ...answer,
  text: answer.text.replace(from, to),
});
const onlyFor =
  (name: Parameters<typeof pathOf>[0], change: (answer: Answer) => Answer) => (answer: Answer, exchange: Exchange) =>
    isCall(exchange, name) ? change(answer) : answer;

const mutants: Readonly<Record<string, Mutant>> = {
  'every operation comes twice on the stream': {
    event: (event) => (isOperation(event) ? event + event : event),
    caughtBy: ['sync/replay-then-live', 'messaging/send-operations'],
  },
  'one operation is lost': {
    event: (event, number) => (number === 2 ? '' : event),
    caughtBy: ['sync/replay-then-live', 'sync/exactly-once-under-load'],
  },
  'operations change places': {
    event: (() => {
      let held = '';
      return (event: string, number: number) => {
        if (number === 1) held = event;
        return number === 1 ? '' : number === 2 ? event + held : event;
      };
    })(),
    caughtBy: ['sync/replay-then-live'],
  },
  'operations are named events': {
    event: (event) => (isOperation(event) ? `event: message\n${event}` : event),
    caughtBy: ['sync/framing'],
  },
  'every stream begins at the first operation': {
    request: (exchange) => ({ ...exchange, path: exchange.path.replace(/localRev=\d+/, 'localRev=0') }),
    caughtBy: ['sync/resume-by-revision'],
  },
  'Last-Event-ID is not looked at': {
    request: ({ headers: { 'last-event-id': _id, ...headers }, ...rest }) => ({ ...rest, headers }),
    caughtBy: ['sync/resume-by-last-event-id'],
  },
  'the envelope says Okay': {
    answer: rewrite('"message":"OK"', '"message":"Okay"'),
    caughtBy: ['TalkService.getLastOpRevision/answers', 'envelope/compact', 'messaging/send'],
  },
  'the envelope has blanks': {
    answer: rewrite('"code":0,"message"', '"code": 0, "message"'),
    caughtBy: ['envelope/compact'],
  },
  'exceptions come with HTTP 200': {
    answer: (answer) => (answer.text.includes('"code":10051') ? { ...answer, status: 200 } : answer),
    caughtBy: ['envelope/exception', 'messaging/unsend-refused'],
  },
  'a missing token is no hindrance': {
    answer: (answer) => (answer.status === 401 ? { status: 200, text: '{"code":0,"message":"OK","data":{}}' } : answer),
    caughtBy: ['TalkService.getProfile/no-token', 'TalkService.getProfile/junk-token', 'notices/no-token'],
  },
  'a result lacks a field': {
    answer: onlyFor('TalkService.getProfile', rewrite(/"mid":"u[0-9a-f]+",/, '')),
    caughtBy: ['profile/own'],
  },
  'a revision is a number': {
    answer: onlyFor('TalkService.getLastOpRevision', rewrite(/"data":"(\d+)"/, '"data":$1')),
    caughtBy: ['TalkService.getLastOpRevision/answers'],
  },
  'an endpoint is not served': {
    answer: onlyFor('TalkService.getServerTime', () => ({
      status: 400,
      text: '{"code":10051,"message":"RESPONSE_ERROR","data":{"name":"TalkException","code":117,"reason":"later"}}',
    })),
    caughtBy: ['envelope/compact'],
  },
  'a repeated send is a new message': {
    request: (exchange) => ({ ...exchange, body: exchange.body.replace(/^\[7[78],/, '[0,') }),
    caughtBy: ['idempotency/repeated-send', 'idempotency/parallel-sends'],
  },
  'an error is not of those that the method declares': {
    answer: onlyFor('TalkService.sendChatChecked', rewrite('"code":0,"reason"', '"code":7,"reason"')),
    caughtBy: ['TalkService.sendChatChecked/wrong-values'],
  },
  'a wrong value is a fault of the server': {
    answer: onlyFor('TalkService.react', (answer) => (answer.status === 400 ? { ...answer, status: 500 } : answer)),
    caughtBy: ['TalkService.react/wrong-values'],
  },
  'a stranger is served': {
    answer: onlyFor('TalkService.unsendMessage', () => ({
      status: 200,
      text: '{"code":0,"message":"OK","data":null}',
    })),
    caughtBy: ['TalkService.unsendMessage/access-message-in-a-group', 'messaging/unsend-refused'],
  },
  'another verb is served': {
    request: (exchange) => ({
      ...exchange,
      verb: isCall(exchange, 'TalkService.getServerTime') ? 'POST' : exchange.verb,
    }),
    caughtBy: ['TalkService.getServerTime/verb'],
  },
  'the token counts under any brand': {
    request: ({ headers, ...rest }) => {
      const foreign = headers[brandHeader('Svcx', 'access').toLowerCase()];
      return { ...rest, headers: foreign ? { ...headers, 'x-svc-access': String(foreign) } : headers };
    },
    caughtBy: ['signature/brand'],
  },
  'the registration answers every refusal with HTTP 400': {
    answer: (answer, { path }) =>
      path.startsWith(registrationRoot) && answer.status >= 400 ? { ...answer, status: 400 } : answer,
    caughtBy: [
      'registration/once',
      'registration/unused',
      'registration/wrong-code',
      'registration/revoked',
      'registration/mode',
    ],
  },
  'an invite that was used says that it is usable': {
    answer: rewrite('"state":"used-up"', '"state":"usable"'),
    caughtBy: ['registration/once'],
  },
};

let server: TestServer;
before(async () => {
  // Faults may change signed bytes, so this server does not check signatures. Another test below checks signatures.
  server = await startServer({ flags: { signature: 'off' } });
});
after(() => server.close());

const admin = (): AdminClient => createAdminClient({ url: server.url, token: server.adminToken });

/** Returns the ids of the checks that fail. */
async function failuresOf(only: readonly string[], target: Partial<Target> = {}): Promise<string[]> {
  const { outcomes } = await runChecks({
    target: { url: server.url, brand: 'Svc', buildToken: 'sealpost-dev', signature: 'off', ...target },
    admin: admin(),
    checks: selectChecks(only),
  });
  return outcomes.flatMap(({ check, failure }) => (failure ? [check.id] : []));
}

const catchers = [...new Set(Object.values(mutants).flatMap(({ caughtBy }) => caughtBy))];

test('The checks that catch the faults pass on the server itself', async () => {
  assert.deepEqual(await failuresOf(catchers), []);
});

for (const [name, { caughtBy, ...fault }] of Object.entries(mutants)) {
  test(`The kit notices that ${name}`, async () => {
    const gateway = await startFaultyGateway(server.url, fault);
    try {
      assert.deepEqual(
        await failuresOf(caughtBy, { url: gateway.url }),
        selectChecks(caughtBy).map(({ id }) => id),
      );
    } finally {
      await gateway.close();
    }
  });
}

test('The kit notices that signatures are not looked at', async () => {
  const checks = ['TalkService.getProfile/signature', 'signature/bound', 'signature/query-is-signed'];
  assert.deepEqual((await failuresOf(checks, { signature: 'strict' })).sort(), checks.sort());
});

test('A run leaves no account, no notice and no open report behind', async () => {
  await failuresOf(['contacts/add', 'notices/pages', 'profile/report-abuse']);
  assert.deepEqual(await admin().listAccounts(), { accounts: [] });
  assert.deepEqual(await admin().listReports({ status: 'open' }), { reports: [] });
  const { notices } = await admin().listNotices();
  assert.ok(notices.every(({ withdrawnTime }) => withdrawnTime !== undefined));
});
