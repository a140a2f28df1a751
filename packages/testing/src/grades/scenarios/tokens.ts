// Tests how a client renews its tokens.
import { brandHeader } from '@sealpost/contract';
import type { CallRecord } from '@sealpost/contract/workbench';
import { gapOf, headerOf, isFields, jsonOf, queryOf } from '../calls.ts';
import { basis, scenariosOf } from '../scenario.ts';
import { CLIENT, type Stage } from '../stage.ts';
import { demand, demandSame, need } from '../verdict.ts';

const auth = (fact: string) => basis('Authentication', fact);
const reactive = auth(
  'Reactive renewal: after talk code 119 or HTTP 401 the client calls tokenRefresh and replays the request once',
);
const refreshErrors = (fact: string) => auth(`Refresh errors: ${fact}`);

const REFRESH = 'renew the tokens with POST /api/auth/tokenRefresh after talk code 119 or HTTP 401';

const refreshes = (stage: Stage, after?: number): CallRecord[] => stage.calls('tokenRefresh', after);

function refreshTokenOf(call: CallRecord): string {
  const body = jsonOf(call);
  return isFields(body) && typeof body.refreshToken === 'string' ? body.refreshToken : '';
}

/** The fields that a renewal returns besides a new access token. */
type Answer = Readonly<Record<string, unknown>>;

/** Lets the client's access token expire, sends the client a text, and waits for the first renewal. */
async function expired(stage: Stage, text = 'after the token', answer?: Answer): Promise<CallRecord> {
  const ann = await stage.person('ann');
  await stage.server.trigger({ account: CLIENT, event: 'expireTokens' });
  if (answer) await answerRefresh(stage, answer);
  await ann.say(text);
  return stage.reached(REFRESH, () => refreshes(stage)[0]);
}

/** Answers the next renewal with an access token of a new session, and these fields. */
async function answerRefresh(stage: Stage, fields: Answer): Promise<void> {
  const { accessToken } = await stage.server.login(CLIENT);
  const data = { accessToken, tokenIssueTimeEpochSec: String(Math.floor(stage.server.clock.now() / 1000)), ...fields };
  const body = JSON.stringify({ code: 0, message: 'OK', ...data, data });
  stage.fault('tokenRefresh', {
    answer: { status: 200, headers: { 'content-type': 'application/json' }, body },
    times: 1,
  });
}

export const tokens = scenariosOf('tokens', {
  'refresh-on-119': {
    title: 'After talk code 119 the tokens are renewed, and the call is repeated',
    basis: reactive,
    consequence: 'Some days after the login the client stops working until the user logs in again.',
    async play(stage) {
      const ann = await stage.talking();
      await stage.server.trigger({ account: CLIENT, event: 'expireTokens' });
      await ann.say('after the token');
      await stage.reached('make calls after the login, one of which meets code 119', () =>
        stage.calls().find(({ error }) => error?.code === 119),
      );
      await stage.expected(
        'tokenRefresh after talk code 119',
        () => refreshes(stage)[0],
        () => 'no renewal',
      );
      await stage.hears(ann, 'after the token', 'after the renewal');
      demandSame('renewals', refreshes(stage).length, 1);
      demandSame('stored answers', (await ann.heard()).filter((text) => text === 'echo: after the token').length, 1);
    },
  },
  'refresh-on-401': {
    title: 'After HTTP 401 the tokens are renewed, and the call is repeated',
    basis: reactive,
    consequence: 'The client takes a passing state for a logout, and asks for the password.',
    async play(stage) {
      const ann = await stage.talking();
      const fault = stage.fault('sendMessage', { answer: { error: 'REQUEST_NEED_LOGIN' }, times: 1 });
      await ann.say('with 401');
      await stage.reached('send a message', () => stage.sends('echo: with 401')[0]);
      await stage.expected(
        'tokenRefresh after HTTP 401',
        () => refreshes(stage)[0],
        () => `${stage.sends('echo: with 401').length} sends and no renewal`,
      );
      await stage.hears(ann, 'with 401', 'after the renewal');
      fault.remove();
    },
  },
  'replay-once': {
    title: 'A call that is refused again after a renewal does not lead to renewal after renewal',
    basis: reactive,
    consequence: 'The client and the server keep each other busy for ever; the battery empties.',
    async play(stage) {
      const ann = await stage.talking();
      const fault = stage.fault('sendMessage', { answer: { error: 'MUST_REFRESH_V3_TOKEN' }, times: 40 });
      await ann.say('always 119');
      await stage.reached(REFRESH, () => refreshes(stage)[0]);
      await stage.pass(3_000);
      fault.remove();
      const { length } = refreshes(stage);
      demand(length <= 3, 'at most 3 renewals within 3 s for a call that stays refused', `${length}`);
    },
  },
  'one-at-a-time': {
    title: 'Several calls that need a renewal share one',
    basis: reactive,
    consequence: 'A used refresh token is sent again; the server takes it for stolen and ends the session.',
    async play(stage) {
      const people = [await stage.talking(), await stage.person('ben'), await stage.person('cleo')];
      for (const friend of people) await stage.echoes(friend, 'before');
      // The token expires while the client's answers are under way, so that all of them get error 119.
      stage.fault('tokenRefresh', { delay: '600ms' });
      stage.fault('sendMessage', { delay: '1200ms', times: people.length });
      for (const friend of people) await friend.say('all at once');
      await stage.reached('send a message', () => stage.sends('echo: all at once')[0]);
      // Waits until all answers are being sent at the same time. A client that sends them one after another never
      // reaches this point, which is allowed.
      await stage.when(() => (stage.sends('echo: all at once').length >= people.length ? true : undefined), 700);
      await stage.server.trigger({ account: CLIENT, event: 'expireTokens' });
      await stage.reached(REFRESH, () => refreshes(stage)[0]);
      for (const friend of people) await stage.hears(friend, 'all at once', 'after one renewal');
      const used = refreshes(stage).map(refreshTokenOf);
      demand(used.length === 1, 'one renewal', `${used.length} renewals`);
    },
  },
  'new-token-used': {
    title: 'After a renewal every call carries the new access token',
    basis: auth('The result is merged into the stored tokenV3IssueResult; X-Svc-Access carries the access token'),
    consequence: 'Calls fail now and then, because some parts of the client keep the old token.',
    async play(stage) {
      const ann = await stage.talking();
      const old = headerOf(await expired(stage), brandHeader(stage.server.brand, 'access'));
      await stage.hears(ann, 'after the token', 'after the renewal');
      const from = stage.mark();
      await stage.echoes(ann, 'later');
      const stale = stage.calls(undefined, from).filter((call) => {
        const token = headerOf(call, brandHeader(stage.server.brand, 'access'));
        return token !== undefined && token === old;
      });
      demand(
        stale.length === 0,
        'no call with the old access token',
        stale.map(({ path }) => path),
      );
    },
  },
  'plain-body': {
    title: 'The body of tokenRefresh is a plain object with the refresh token',
    basis: basis('Login and identity', 'AuthService.tokenRefresh: plain JSON object body: refreshToken (string)'),
    consequence: 'Tokens cannot be renewed, and the user must log in again.',
    async play(stage) {
      await stage.talking();
      const call = await expired(stage);
      demand(isFields(jsonOf(call)), 'a JSON object as the body', call.body);
      demand(refreshTokenOf(call) !== '', 'refreshToken in the body', call.body);
    },
  },
  'partial-result': {
    title: 'A renewal that leaves out fields keeps the stored ones',
    basis: basis('Login and identity', 'tokenRefresh returns a partial tokenV3IssueResult, merged into the stored one'),
    consequence: 'The second renewal fails, and the user is logged out after some days.',
    async play(stage) {
      const ann = await stage.talking();
      const first = await expired(stage, 'first renewal', {});
      await stage.hears(ann, 'first renewal', 'after a renewal that returned only an access token');
      await stage.server.trigger({ account: CLIENT, event: 'expireTokens' });
      await ann.say('second renewal');
      const second = await stage.expected(
        'a second renewal',
        () => refreshes(stage)[1],
        () => 'one renewal',
      );
      demandSame('the refresh token of the first renewal', refreshTokenOf(second), refreshTokenOf(first));
    },
  },
  'backoff-on-10202': {
    title: 'After code 10202 the renewal is repeated after growing pauses, as refreshApiRetryPolicy says',
    basis: refreshErrors('10202 is retried with exponential backoff and jitter from refreshApiRetryPolicy'),
    consequence: 'The user is logged out while the server is only busy, or the server is called in a loop.',
    async play(stage) {
      const ann = await stage.talking();
      stage.fault('tokenRefresh', { answer: { error: 'AUTH_RETRY_REQUIRED' }, times: 2 });
      await expired(stage);
      const [first, second, third] = await stage.expected(
        'two more renewals after code 10202',
        () => (refreshes(stage).length >= 3 ? refreshes(stage) : undefined),
        () => `${refreshes(stage).length} renewals`,
      );
      if (!first || !second || !third) return;
      // The first pause of the policy is one second. Jitter may shorten it by 30 %, and the check allows a little more.
      demand(gapOf(first, second) >= 650, 'a first pause of 1000 ms, less 30 %', `${gapOf(first, second)} ms`);
      demand(gapOf(second, third) >= 1_300, 'a second pause of 2000 ms, less 30 %', `${gapOf(second, third)} ms`);
      await stage.hears(ann, 'after the token', 'after the third renewal');
    },
  },
  'stop-on-10201': {
    title: 'After code 10201 the session is over: its refresh token is not used again',
    basis: refreshErrors('10201 (AUTH_INVALID_REQUEST) ends the session (kick-out)'),
    consequence: 'The client tries for ever, and the user does not learn that a login is needed.',
    async play(stage) {
      await stage.talking();
      const fault = stage.fault('tokenRefresh', { answer: { error: 'AUTH_INVALID_REQUEST' } });
      const first = await expired(stage);
      const ann = await stage.person('ann');
      for (let count = 0; count < 3; count++) {
        await ann.say('still there?');
        await stage.server.trigger({ account: CLIENT, event: 'cut' });
        await stage.pass(1_500);
      }
      fault.remove();
      const again = refreshes(stage).filter(
        (call) => call.id > first.id && refreshTokenOf(call) === refreshTokenOf(first),
      );
      demand(again.length === 0, 'no second renewal with the refused refresh token', `${again.length} more`);
    },
  },
  'lost-answer': {
    title: 'A renewal whose answer was lost is repeated with the same refresh token',
    basis: basis(
      'docs/login.md, Tokens',
      'The server answers a repeated renewal with the same tokens for a short time',
    ),
    consequence: 'One bad moment of the network logs the user out.',
    async play(stage) {
      const ann = await stage.talking();
      stage.fault('tokenRefresh', { cut: 'answer', times: 1 });
      const first = await expired(stage);
      const second = await stage.expected(
        'a second renewal after the lost answer',
        () => refreshes(stage)[1],
        () => 'one renewal',
      );
      demandSame('the same refresh token', refreshTokenOf(second), refreshTokenOf(first));
      await stage.hears(ann, 'after the token', 'after the second renewal');
    },
  },
  scheduled: {
    title: 'Tokens are renewed when their time has come, before a call fails',
    basis: auth('Renewal schedule: renewal time is tokenIssueTimeEpochSec plus durationUntilRefreshInSec'),
    consequence: 'The first message after some days away takes long, or is lost.',
    async play(stage) {
      const ann = await stage.talking();
      await expired(stage, 'after the token', { durationUntilRefreshInSec: '3' });
      await stage.hears(ann, 'after the token', 'after the renewal');
      await stage.pass(4_500);
      const own = await stage.expected(
        'a renewal 3 s after the tokens were issued, without a failed call',
        () => refreshes(stage)[1],
        () => 'none',
      );
      const refused = stage.calls().filter(({ id, error }) => id < own.id && error?.code === 119).length;
      demand(refused <= 2, 'a renewal before a call fails', `${refused} calls with code 119 before`);
    },
  },
  'stream-after-scheduled': {
    title: 'After a scheduled renewal the stream is opened again, from the last revision',
    basis: auth('After renewal: after a scheduled renewal the event stream is reconnected'),
    consequence: 'The stream ends with the old token, and messages stop coming.',
    async play(stage) {
      const ann = await stage.talking();
      await expired(stage, 'after the token', { durationUntilRefreshInSec: '3' });
      await stage.hears(ann, 'after the token', 'after the renewal');
      await stage.pass(4_500);
      const own = await stage.reached('renew the tokens at their time', () => refreshes(stage)[1]);
      const stream = await stage.expected(
        'the stream to be opened again after the scheduled renewal',
        () => stage.calls('operationReceive', own.id)[0],
        () => 'no new stream',
      );
      demand(Number(queryOf(stream, 'localRev')) > 0, 'the last revision in localRev', stream.path);
      await stage.echoes(ann, 'on the new stream');
    },
  },
  'stream-refused': {
    title: 'A stream that is refused with HTTP 401 is opened again after a renewal',
    basis: reactive,
    consequence: 'The client shows itself as connected, and no message comes.',
    async play(stage) {
      const ann = await stage.talking();
      stage.fault('operationReceive', { answer: { error: 'REQUEST_NEED_LOGIN' }, times: 1 });
      await stage.server.trigger({ account: CLIENT, event: 'cut' });
      await stage.reached('open the stream again', () =>
        stage.calls('operationReceive').find(({ status }) => status === 401),
      );
      await ann.say('after 401');
      await stage.hears(ann, 'after 401', 'on a stream that was opened after a renewal');
      demand(refreshes(stage).length > 0, 'tokenRefresh after HTTP 401 on the stream', 'none');
    },
  },
  kept: {
    title: 'Renewed tokens outlive a restart of the client',
    basis: auth('Reactive renewal: the result is merged into the stored tokenV3IssueResult'),
    consequence: 'After a restart the client uses a spent refresh token, and the user is logged out.',
    async play(stage) {
      const ann = await stage.talking();
      const first = await expired(stage);
      await stage.hears(ann, 'after the token', 'after the renewal');
      const from = stage.mark();
      await stage.restart();
      await stage.server.trigger({ account: CLIENT, event: 'expireTokens' });
      await ann.say('after the restart');
      await stage.hears(ann, 'after the restart', 'after a restart');
      const reused = refreshes(stage, from).filter((call) => refreshTokenOf(call) === refreshTokenOf(first));
      const renewed = first.answer.includes('"refreshToken"') && !first.answer.includes(refreshTokenOf(first));
      need(renewed, 'get a new refresh token with a renewal', 'the server kept the refresh token');
      demand(reused.length === 0, 'no renewal with the refresh token from before', `${reused.length}`);
    },
  },
});
