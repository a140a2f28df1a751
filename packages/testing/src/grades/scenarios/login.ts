// Tests how a client logs in: credential, confirmation on another device, certificate.
import { brandHeader } from '@sealpost/contract';
import type { CallRecord } from '@sealpost/contract/workbench';
import { argumentsOf, type Fields, gapOf, headerOf, nameOf, resultOf, structOf } from '../calls.ts';
import { sessionOf } from '../friend.ts';
import { basis, type ScenarioEntry, scenariosOf } from '../scenario.ts';
import { CLIENT, type Stage } from '../stage.ts';
import { Deviation, demand, demandSame, need } from '../verdict.ts';

const flows = (fact: string) => basis('States and transitions', fact);
const auth = (fact: string) => basis('Authentication', fact);
const page = (fact: string) => basis('docs/login.md, Credential login', fact);

const LOGIN = 'log in with getRSAKeyInfo and loginV2';
const SEALED_LOGIN = 'ask for the keys of the account: log in with type ID_CREDENTIAL_WITH_E2EE (2) first';
const LOGIN_TYPES = { credential: 0, qr: 1, sealed: 2 } as const;
const REQUIRE_DEVICE_CONFIRM = 3;
const confirmed = { 'login-confirmation': 'new-device' } as const;

const logins = (stage: Stage): CallRecord[] => stage.calls('loginV2');
const requestOf = (call: CallRecord): Fields => structOf(call);

/** Waits for a login that another device must confirm. Returns the verifier and the PIN in the answer to it. */
async function waitingLogin(stage: Stage): Promise<{ verifier: string; pinCode: string }> {
  // The account has a device already, so the login of the client must be confirmed by it.
  const call = await stage.reached(`${LOGIN}, without a certificate`, () =>
    logins(stage).find((one) => resultOf(one)?.type === REQUIRE_DEVICE_CONFIRM),
  );
  const { verifier = '', pinCode = '' } = resultOf(call) ?? {};
  return { verifier: String(verifier), pinCode: String(pinCode) };
}

const polls = (stage: Stage): CallRecord[] => stage.calls().filter(({ path }) => /\/long-polling\/(JQ|LF1)/.test(path));

const fallsBackAfter = (
  error: 'E2EE_SENDER_NOT_ALLOWED' | 'E2EE_UPDATE_PRIMARY_DEVICE' | 'E2EE_PRIMARY_NOT_SUPPORT',
  code: number,
): ScenarioEntry => ({
  title: `After code ${code} the login is repeated with type 0 and a new RSA key`,
  basis: page(`${error} (${code}): fetch a new key, log in with type 0`),
  consequence: 'People whose account has no keys, or has Letter Sealing off, cannot log in at all.',
  async play(stage) {
    stage.faultOfAnybody('loginV2', { answer: { error }, times: 1 });
    await stage.launch();
    const first = await stage.reached(LOGIN, () => logins(stage)[0]);
    need(requestOf(first).type === LOGIN_TYPES.sealed, SEALED_LOGIN, `the login had type ${requestOf(first).type}`);
    const second = await stage.expected(
      `a second loginV2 after code ${code}`,
      () => logins(stage)[1],
      () => `${logins(stage).length} logins`,
    );
    demandSame('the second login with type', Number(requestOf(second).type), LOGIN_TYPES.credential);
    demand(
      requestOf(second).identifier !== requestOf(first).identifier,
      'another RSA key in the second login',
      'the same',
    );
  },
});

export const login = scenariosOf('login', {
  credential: {
    title: 'The credential is encrypted with the key of getRSAKeyInfo, and identifier is the name of that key',
    basis: auth('Login: getRSAKeyInfo, then loginV2 with the credential RSA-encrypted using the returned key'),
    consequence: 'Nobody can log in, or the password crosses the network in the clear.',
    async play(stage) {
      await stage.launch();
      const call = await stage.reached(LOGIN, () => logins(stage)[0]);
      const keys = stage.calls('getRSAKeyInfo').map((key) => resultOf(key)?.keynm);
      const { identifier, password, identityProvider } = requestOf(call);
      demand(keys.includes(identifier), `the name of a fetched key as identifier: ${keys.join(' or ')}`, identifier);
      demandSame('identityProvider', Number(identityProvider), 1);
      demand(/^[0-9a-f]+$/i.test(String(password)), 'hex of the encrypted credential as password', password);
      const open = stage.calls().find(({ body, path }) => `${path}\n${body}`.includes(stage.account.password ?? ''));
      demand(open === undefined, 'no password in the clear in any call', open && nameOf(open));
    },
  },
  'key-for-each-try': {
    title: 'Each try of a login uses a new RSA key',
    basis: page('A key is valid for one login; SERVER_BUSY (101): fetch a new key, try again after growing pauses'),
    consequence: 'After one hitch at the login every further try is refused, although the password is right.',
    async play(stage) {
      stage.faultOfAnybody('loginV2', { answer: { error: 'SERVER_BUSY' }, times: 1 });
      await stage.launch();
      const [first, second] = await stage.reached('log in again after SERVER_BUSY (101)', () =>
        logins(stage).length > 1 ? logins(stage) : undefined,
      );
      if (!first || !second) throw new Deviation('two logins', 'fewer');
      demand(
        requestOf(first).identifier !== requestOf(second).identifier,
        'another RSA key in the second login',
        'the same',
      );
      demand(
        gapOf(first, second) >= 100,
        'a pause of at least 100 ms before the second login',
        `${gapOf(first, second)} ms`,
      );
    },
  },
  'wrong-password': {
    title: 'A wrong password is not tried again and again',
    basis: page('INVALID_IDENTITY_CREDENTIAL (18): ask for the password'),
    consequence: 'The account is locked by the limit of failed logins, and the user never learns why.',
    async play(stage) {
      await stage.launch({ SEALPOST_PASSWORD: 'not the password' });
      await stage.reached(LOGIN, () => logins(stage).find(({ status }) => status === 400));
      await stage.pass(4_000);
      const refused = logins(stage).length;
      demand(refused <= 2, 'at most two logins with the wrong password', `${refused} within 4 s`);
    },
  },
  'rate-limited': {
    title: 'A login that is refused for too many tries waits for Retry-After',
    basis: page('EXCESSIVE_ACCESS (4) with Retry-After: wait'),
    consequence: 'The user stays locked out for longer with each try of the client.',
    async play(stage) {
      const answer = { error: 'EXCESSIVE_ACCESS', headers: { 'Retry-After': '3' } };
      stage.faultOfAnybody('loginV2', { answer, times: 1 });
      await stage.launch();
      const first = await stage.reached(LOGIN, () => logins(stage)[0]);
      await stage.pass(2_000);
      const second = logins(stage)[1];
      const gap = second ? gapOf(first, second) : undefined;
      demand(gap === undefined || gap >= 2_500, 'no second login within 3 s', `one after ${gap} ms`);
    },
  },
  'type-0-after-89': fallsBackAfter('E2EE_SENDER_NOT_ALLOWED', 89),
  'type-0-after-94': fallsBackAfter('E2EE_UPDATE_PRIMARY_DEVICE', 94),
  'type-0-after-97': fallsBackAfter('E2EE_PRIMARY_NOT_SUPPORT', 97),
  confirmation: {
    title: 'A login that another device must confirm waits for it, and ends with loginV2 of type 1',
    basis: flows('REQUIRE_* carries verifier and pinCode; the new verifier is used with loginV2 type QRCODE'),
    consequence: 'The user confirms on the other device, and the new one still does not get in.',
    settings: confirmed,
    async play(stage) {
      const device = await sessionOf(stage.server, CLIENT);
      try {
        await stage.launch();
        const { pinCode, verifier } = await waitingLogin(stage);
        need(
          pinCode !== '',
          'log in with type 0, for which the server makes the PIN',
          'the login had no PIN of the server',
        );
        await stage.reached('wait for the confirmation with GET /api/talk/long-polling/JQ', () => polls(stage)[0]);
        const [login] = await device.devices.pending();
        if (login) await device.devices.approve(login, { pinCode });
        const last = await stage.expected(
          'loginV2 with type 1 after the confirmation',
          () => logins(stage).find((call) => requestOf(call).type === LOGIN_TYPES.qr),
          () => `logins of the types ${logins(stage).map((call) => requestOf(call).type)}`,
        );
        demand(
          String(requestOf(last).verifier ?? '') !== '',
          `a verifier such as ${verifier}`,
          requestOf(last).verifier,
        );
        await stage.expected(
          'the operation stream after the login',
          () => stage.calls('operationReceive')[0],
          () => 'no stream',
        );
      } finally {
        device.close();
      }
    },
  },
  'poll-headers': {
    title: 'The long poll names the login in X-Svc-Session-ID and its patience in X-LST',
    basis: basis(
      'Operation stream, long polls, notices',
      'Long poll JQ: X-Svc-Session-ID (required), X-LST (ms, 180000); LF1: 110000',
    ),
    consequence: 'The confirmation never reaches the new device.',
    settings: confirmed,
    async play(stage) {
      const device = await sessionOf(stage.server, CLIENT);
      try {
        await stage.launch();
        const { verifier } = await waitingLogin(stage);
        const poll = await stage.reached('wait for the confirmation with a long poll', () => polls(stage)[0]);
        demandSame('X-Svc-Session-ID', headerOf(poll, brandHeader(stage.server.brand, 'sessionId')), verifier);
        const wait = Number(headerOf(poll, 'X-LST'));
        demand(wait >= 1_000 && wait <= 180_000, 'X-LST of at most 180000 ms', headerOf(poll, 'X-LST'));
      } finally {
        device.close();
      }
    },
  },
  'confirmation-refused': {
    title: 'A login that was refused on the other device is over',
    basis: page('LF1, JQ: 410 means that the login is over'),
    consequence: 'The client asks on for ever, and the user does not learn that the login was refused.',
    settings: confirmed,
    async play(stage) {
      const device = await sessionOf(stage.server, CLIENT);
      try {
        await stage.launch();
        const { verifier } = await waitingLogin(stage);
        await stage.reached('wait for the confirmation with a long poll', () => polls(stage)[0]);
        const [login] = await device.devices.pending();
        if (login) await device.devices.deny(login.loginId);
        const over = await stage.reached('wait for the answer of the long poll', () =>
          polls(stage).find(({ status }) => status === 410),
        );
        await stage.pass(2_000);
        const later = polls(stage).filter(
          (call) => call.id > over.id && headerOf(call, brandHeader(stage.server.brand, 'sessionId')) === verifier,
        );
        demand(later.length === 0, 'no further poll for the refused login', `${later.length} polls`);
        const used = logins(stage).filter((call) => call.id > over.id && requestOf(call).verifier === verifier);
        demand(used.length === 0, 'no loginV2 with the refused verifier', `${used.length} logins`);
      } finally {
        device.close();
      }
    },
  },
  certificate: {
    title: 'A later login presents the certificate of the first',
    basis: auth('Login: a certificate returned at login is stored and presented on later logins'),
    consequence: 'The user must confirm each login on another device again.',
    async play(stage) {
      await stage.talking();
      const issued = resultOf(logins(stage).at(-1) as CallRecord)?.certificate;
      await stage.stop();
      await stage.server.trigger({ account: CLIENT, event: 'endSessions' });
      const before = stage.mark();
      await stage.launch();
      const again = await stage.reached('log in again when the stored session has ended', () =>
        stage.calls('loginV2', before).at(0),
      );
      demandSame('the certificate of the first login', String(requestOf(again).certificate ?? ''), String(issued));
    },
  },
  'one-login': {
    title: 'A login is made once, and its session is used from then on',
    basis: flows('Logged in: tokenRefresh before or after the renewal time; only logoutV2 ends it'),
    consequence: 'Each new login ends another device of the user, or fills the list of sessions.',
    async play(stage) {
      const ann = await stage.talking();
      for (const text of ['one', 'two', 'three']) await stage.echoes(ann, text);
      const completed = logins(stage).filter((call) => resultOf(call)?.tokenV3IssueResult !== undefined);
      demandSame('logins', completed.length, 1);
      demand(argumentsOf(completed[0] as CallRecord).length === 1, 'one argument of loginV2', completed[0]?.body);
    },
  },
});
