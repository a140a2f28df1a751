// Tests the parts that every request of a client must have: headers, signature, form of the body.
import { brandHeader, clientVersion, httpPaths } from '@sealpost/contract';
import type { CallRecord } from '@sealpost/contract/workbench';
import { argumentsOf, headerOf, jsonOf, nameOf, queryOf } from '../calls.ts';
import { basis, scenariosOf } from '../scenario.ts';
import { signatureOf } from '../signature.ts';
import type { Stage } from '../stage.ts';
import { demand, demandSame, need } from '../verdict.ts';

const auth = (fact: string) => basis('Authentication', fact);
const conventions = (fact: string) => basis('Wire conventions', fact);

const isGateway = ({ path }: CallRecord): boolean => path.startsWith('/api/');
const isObject = ({ path }: CallRecord): boolean => path.startsWith('/r/');
const isMethod = ({ path }: CallRecord): boolean => path.startsWith('/api/talk/thrift/');

/**
 * Starts the client, sends it texts, and returns its calls in the order of time. Does not demand any answer, because
 * the server may refuse a wrong client at its first call.
 */
async function callsOf(stage: Stage): Promise<CallRecord[]> {
  const ann = await stage.person('ann');
  await stage.launch();
  await stage.when(() => stage.calls('operationReceive')[0]);
  for (const text of ['hello', TRICKY]) {
    await ann.say(text);
    await stage.when(async () => ((await ann.heard()).includes(`echo: ${text}`) ? true : undefined), SOME_MS);
  }
  const calls = stage.calls();
  need(calls.length > 0, 'call the gateway at SEALPOST_URL', 'the client called nothing');
  return calls;
}

/** Milliseconds that the client may take to answer. These scenarios do not depend on the answer. */
const SOME_MS = 5_000;
/** A text that clients may encode in several ways: it contains quotes, a backslash and characters outside of ASCII. */
const TRICKY = 'naïve „quotes" \\ 日本 😀 </script> \u2028 end';

const answered = ({ status = 0 }: CallRecord): boolean => status === 200;

/** Returns the description of a call for the report. */
const shownCall = (call: CallRecord): string => `${call.verb} ${call.path} (call ${call.id})`;

/** Demands that `holds` finds nothing wrong in any call. */
function demandOfAll(calls: readonly CallRecord[], expected: string, holds: (call: CallRecord) => string | undefined) {
  for (const call of calls) {
    const wrong = holds(call);
    demand(wrong === undefined, `${expected} in ${shownCall(call)}`, wrong);
  }
}

/** Demands that the signature of every call matches its path, its body and its token. */
async function demandSigned({ server }: Stage, calls: readonly CallRecord[]): Promise<void> {
  for (const call of calls) {
    const given = headerOf(call, 'X-Hmac');
    const right = await signatureOf(server, call);
    demand(given === right, `a right signature in ${shownCall(call)}: ${right}`, given ?? 'none');
  }
}

export const wire = scenariosOf('wire', {
  'signature-of-bodies': {
    title: 'Every call is signed over the exact bytes of path and body',
    basis: auth('Signature: X-Hmac is an HMAC over the exact transmitted bytes of the path plus the body'),
    consequence: 'Messages with quotes, emoji or other scripts are refused with code 10005, while plain ones work.',
    async play(stage) {
      const calls = (await callsOf(stage)).filter((call) => isGateway(call) && call.verb === 'POST');
      await demandSigned(stage, calls);
    },
  },
  'signature-of-queries': {
    title: 'The signature of a GET covers the query string',
    basis: auth('Signature: for a GET the path includes the query string and the body is the empty string'),
    consequence: 'The operation stream is refused with code 10005, and the user gets no messages.',
    async play(stage) {
      const gets = (await callsOf(stage)).filter((call) => isGateway(call) && call.verb === 'GET');
      const withQuery = gets.filter(({ path }) => path.includes('?'));
      need(withQuery.length > 0, 'open the operation stream with a query', 'no GET had a query');
      await demandSigned(stage, withQuery);
    },
  },
  'signature-before-login': {
    title: 'Calls before the login are signed with the empty access token',
    basis: auth('Signature: every request carries X-Hmac, and its key depends on the access token'),
    consequence: 'Nobody can log in.',
    async play(stage) {
      const calls = (await callsOf(stage)).filter((call) => ['getRSAKeyInfo', 'loginV2'].includes(nameOf(call)));
      need(calls.length > 0, 'log in with getRSAKeyInfo and loginV2', 'neither was called');
      for (const call of calls) {
        demand(
          headerOf(call, brandHeader(stage.server.brand, 'access')) === undefined,
          `no access token in ${shownCall(call)}`,
          call.headers,
        );
      }
      await demandSigned(stage, calls);
    },
  },
  'access-token': {
    title: 'Every call after the login carries the access token',
    basis: auth('Access token: gateway calls carry X-Svc-Access'),
    consequence: 'Calls fail with 10004, as if the user were not logged in.',
    async play(stage) {
      const calls = await callsOf(stage);
      const sends = calls.filter((call) => nameOf(call) === 'sendMessage');
      need(sends.length > 0, 'answer a text message', 'no message was sent');
      const name = brandHeader(stage.server.brand, 'access');
      demandOfAll(sends, `the header ${name}`, (call) => (headerOf(call, name) ? undefined : 'none'));
      const anonymous = calls.filter((call) => call.error?.code === 10004);
      demandOfAll(anonymous, 'a call that the server knows the session of', () => 'the answer 10004');
    },
  },
  'client-version': {
    title: 'Every gateway call carries the version of the client',
    basis: auth('Client version: gateway calls carry X-Svc-Client-Version: 3.7.2'),
    consequence: 'The server takes the client for another build and may refuse it, or its signature.',
    async play(stage) {
      const name = brandHeader(stage.server.brand, 'clientVersion');
      const calls = (await callsOf(stage)).filter(isMethod);
      demandOfAll(calls, `the header ${name}: ${clientVersion}`, (call) => {
        const value = headerOf(call, name);
        return value === clientVersion ? undefined : (value ?? 'none');
      });
    },
  },
  locale: {
    title: 'The locale is sent in both forms, with an underscore and with a hyphen',
    basis: conventions('Locale: X-LAL carries a locale in underscore form, Accept-Language the hyphen form'),
    consequence: 'Texts of the server come in another language than the user chose.',
    async play(stage) {
      const calls = (await callsOf(stage)).filter(isMethod);
      demandOfAll(calls, 'X-LAL such as en_US', (call) => {
        const value = headerOf(call, 'X-LAL') ?? 'none';
        return /^[a-z]{2,3}(_[A-Za-z]{4})?(_[A-Z]{2})?$/.test(value) ? undefined : value;
      });
      demandOfAll(calls, 'Accept-Language such as en-US', (call) => {
        const value = headerOf(call, 'Accept-Language') ?? 'none';
        return /^[a-z]{2,3}(-[A-Za-z0-9]+)*([,;].*)?$/.test(value) ? undefined : value;
      });
    },
  },
  'no-application-header': {
    title: 'X-Svc-Application is left out of gateway calls',
    basis: auth('Application header: X-Svc-Application is never sent on gateway calls'),
    consequence: 'The gateway can tell what platform each call comes from, which it is not meant to know.',
    async play(stage) {
      const name = brandHeader(stage.server.brand, 'application');
      const calls = (await callsOf(stage)).filter((call) => isGateway(call) && !isObject(call));
      demandOfAll(calls, `no header ${name}`, (call) => headerOf(call, name));
    },
  },
  'positional-arguments': {
    title: 'The body of a call is a JSON array of its arguments, and [] if it has none',
    basis: conventions('RPC request body: JSON array of positional arguments. A call with no arguments sends []'),
    consequence: 'The call is refused with code 10003.',
    async play(stage) {
      for (const call of (await callsOf(stage)).filter(isMethod)) argumentsOf(call);
    },
  },
  'known-paths': {
    title: 'Every call goes to a path and verb that the service has',
    basis: conventions('RPC endpoints: POST {base_url}/api/talk/thrift/<Namespace>/<Service>/<method>'),
    consequence: 'A part of the client never works, and only its log tells.',
    async play(stage) {
      const calls = (await callsOf(stage)).filter(isGateway);
      demandOfAll(calls, 'a known path', ({ endpoint, status }) =>
        endpoint === undefined || status === 405 ? `HTTP ${status}` : undefined,
      );
    },
  },
  'arguments-fit': {
    title: 'The arguments of every call fit the specification',
    basis: basis('Endpoints', 'the arguments of each operation, with their types'),
    consequence: 'What the user does is refused with code 10003 or 10102.',
    async play(stage) {
      demandOfAll(await callsOf(stage), 'arguments that fit', ({ error }) =>
        error && [10003, 10102].includes(error.code) ? `${error.code}: ${error.message}` : undefined,
      );
    },
  },
  'stream-query': {
    title: 'The stream is opened with version, revision and language in the query',
    basis: basis(
      'Operation stream, long polls, notices',
      'Operation receive: version, localRev and language in the query',
    ),
    consequence: 'Messages that came while the client was away are lost, or come again.',
    async play(stage) {
      const streams = (await callsOf(stage)).filter(({ path }) => path.startsWith(httpPaths.operationReceive));
      need(streams.length > 0, 'open the operation stream', 'it was not opened');
      for (const call of streams) {
        demandSame('the query value version', queryOf(call, 'version'), clientVersion);
        demand(/^\d+$/.test(queryOf(call, 'localRev') ?? ''), 'digits in the query value localRev', call.path);
        demand(/^[a-z]{2,3}(_[A-Za-z]+)*$/.test(queryOf(call, 'language') ?? ''), 'language such as en_US', call.path);
      }
    },
  },
  'message-fields': {
    title: 'A text message names its receiver, and its enums are numbers',
    basis: basis('Resources and their fields', 'Message: to, text, contentType NONE (0) for plain text'),
    consequence: 'Messages are refused, or reach the wrong chat.',
    async play(stage) {
      await callsOf(stage);
      const ann = await stage.person('ann');
      need(stage.sends('echo: ').length > 0, 'answer a text message', 'no message was sent');
      for (const { message, reqSeq, call } of stage.sends('echo: ').filter((send) => answered(send.call))) {
        demandSame(`in ${shownCall(call)}, to`, String(message.to), ann.mid);
        demand([0, undefined].includes(message.contentType as number | undefined), 'contentType 0', message);
        demand(message.toType === undefined || typeof message.toType === 'number', 'toType as a number', message);
        demand(Number.isInteger(reqSeq), 'a whole number as reqSeq', jsonOf(call));
      }
    },
  },
});
