import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { contentTypes, reportSources, spammerReasons } from '@sealpost/contract';
import { type CommandResult, run } from '@sealpost/dev-env/command';
import { type ServerProcess, startServer } from '@sealpost/dev-env/server-process';
import { createRpcClient, GatewayError, NetworkError } from '@sealpost/sdk';
import { People } from '../src/people.ts';

let server: ServerProcess;
let alice: { mid: string; password: string };
let bob: { mid: string };

before(async () => {
  server = await startServer();
  alice = await server.createAccount('alice', 'Alice');
  bob = await server.createAccount('bob', 'Bob');
  const login = await run(env(), ['login', 'alice', '--password-stdin'], alice.password);
  assert.equal(login.code, 0, login.err);
});
after(() => server.dispose());

const env = () => ({ ...server.env, SEALPOST_URL: server.url });
const sealpost = (...args: string[]): Promise<CommandResult> => run(env(), args);
const json = async <T>(...args: string[]): Promise<T> => {
  const { code, out, err } = await sealpost(...args, '--json');
  assert.equal(code, 0, err);
  return JSON.parse(out) as T;
};

test('a user is added, listed, blocked and removed by its user id', async () => {
  assert.match((await sealpost('add', 'bob')).out, /^Added Bob \(u[0-9a-f]{32}\)\.$/m);
  assert.match((await sealpost('contacts')).out, new RegExp(`Bob +contact +${bob.mid}`));
  assert.equal((await sealpost('block', 'bob')).code, 0);
  assert.deepEqual(await json('contacts'), []);
  assert.match((await sealpost('contacts', '--blocked')).out, /Bob +contact, blocked/);
  assert.equal((await sealpost('unblock', bob.mid)).code, 0);
  assert.equal((await sealpost('remove', 'bob')).code, 0);
  assert.equal((await sealpost('contacts')).out, 'Nobody.\n');
  const unknown = await sealpost('add', 'nobody-here');
  assert.equal(unknown.code, 1);
  assert.match(unknown.err, /Nobody has the user id "nobody-here"/);
});

test('profile and settings are shown and changed', async () => {
  assert.equal((await json<{ statusMessage: string }>('profile', 'set', 'status', 'away')).statusMessage, 'away');
  assert.match((await sealpost('profile')).out, /displayName +Alice/);
  assert.deepEqual(await json('settings', 'set', 'privacySearchByUserid', 'false'), { privacySearchByUserid: false });
  assert.equal((await json<{ e2eeEnable: boolean }>('settings')).e2eeEnable, true);
  for (const [field, value, message] of [
    ['nonsense', 'true', /No such setting/],
    ['e2eeEnable', 'perhaps', /true or false, not "perhaps"/],
    ['privacyAgeResult', 'old', /whole number, not "old"/],
  ] as const) {
    const { code, err } = await sealpost('settings', 'set', field, value);
    assert.equal(code, 2);
    assert.match(err, message);
  }
  const shown = await json('settings', 'get', 'e2eeEnable', 'privacySearchByUserid');
  assert.deepEqual(shown, { e2eeEnable: true, privacySearchByUserid: false });
  for (const more of [[], ['--json']]) {
    const { code, out, err } = await sealpost('settings', 'get', 'e2eeEnable', 'nonsense', ...more);
    assert.deepEqual([code, out], [2, '']);
    assert.match(
      err,
      /'nonsense' is invalid for argument 'fields'. No such setting; \W+sealpost settings\W+ lists them/,
    );
  }
});

test('the operator publishes and withdraws notices', async () => {
  const { id } = await json<{ id: string }>('notice', 'publish', 'Maintenance', 'Tonight.', '--language', 'en');
  assert.match((await sealpost('notice', 'list')).out, new RegExp(`${id}.* en +all +published +Maintenance`));
  assert.equal((await sealpost('notice', 'withdraw', id)).code, 0);
  const again = await sealpost('notice', 'withdraw', id);
  assert.equal(again.code, 1);
  assert.match(again.err, /no published notice/);
});

test('a report takes messages of the reported user along', async () => {
  const { mid, password } = await server.createAccount('spammer', 'Spammer');
  const spammer = createRpcClient({ url: server.url });
  await spammer.login({ identifier: 'spammer', password });
  const first = await spammer.sendText(alice.mid, 'buy this');
  const second = await spammer.sendText(alice.mid, 'and that');
  spammer.close();
  const { out } = await sealpost('report', 'send', 'spammer', '--message', first.id, '--message', second.id);
  assert.equal(out, 'Reported spammer, with 2 of their messages.\n');
  const [report] = await json<{ id: string; reportedMid: string }[]>('report', 'list');
  assert.equal(report?.reportedMid, mid);
  const shown = (await sealpost('report', 'show', report?.id ?? '')).out;
  assert.match(shown, /^ {2}\S+ \S+ {2}buy this\n {2}\S+ \S+ {2}and that$/m);
  const foreign = await sealpost('report', 'send', 'bob', '--message', first.id);
  assert.equal(foreign.code, 1);
  assert.match(foreign.err, new RegExp(`The message ${first.id} is not from bob`));
  const absent = await sealpost('report', 'send', 'bob', '--message', '12');
  assert.match(absent.err, /There is no message 12 that you can read/);
  assert.equal((await sealpost('report', 'send', 'bob', '--message', 'the last')).code, 2);
  const early = await sealpost('report', 'resolve', report?.id ?? '', '--if-assigned-to', 'Ruth');
  assert.equal(early.code, 1);
  assert.match(early.err, /nobody takes care of the report now/);
  assert.equal((await sealpost('report', 'resolve', report?.id ?? '', '--if-assigned-to', '')).code, 0);
});

test('a report reaches the operator, who disables the account', async () => {
  const { mid } = await server.createAccount('mallory');
  assert.equal((await sealpost('report', 'send', 'mallory', '--reason', 'gender-harassment')).code, 0);
  const [report] = await json<{ id: string; reportedMid: string }[]>('report', 'list');
  assert.equal(report?.reportedMid, mid);
  const reporter = createRpcClient({ url: server.url });
  await reporter.login({ identifier: 'carla', password: (await server.createAccount('carla', 'Carla')).password });
  const message = {
    reportSource: reportSources.DIRECT_CHAT_SELECTED,
    spammerReasons: [spammerReasons.SCAM],
    abuseMessages: [
      { message: 'give me\nmoney', createdTime: 1_700_000_000_000 },
      {},
      { contentType: contentTypes.FILE, metadata: { FILE_NAME: 'in\nvoice.pdf' } },
      { contentType: contentTypes.STICKER },
    ],
    metadata: { userMid: bob.mid },
  };
  await reporter.TalkService.reportAbuseEx({ abuseReportEntry: { message } });
  reporter.close();
  const [ofBob] = await json<{ id: string; reporterMid: string }[]>('report', 'list');
  const listed = (await sealpost('report', 'list')).out;
  assert.match(listed, new RegExp(`^${report.id} .* open +mallory \\(mallory\\) +Alice \\(alice\\)$`, 'm'));
  assert.match(listed, /open +Bob \(bob\) +Carla \(carla\)$/m);
  const shown = (await sealpost('report', 'show', ofBob?.id ?? '')).out;
  for (const line of [
    /^state +open$/m,
    /^reason +scam$/m,
    /^reported +Bob \(bob\)$/m,
    new RegExp(`^reported mid +${bob.mid}$`, 'm'),
    /^by +Carla \(carla\)$/m,
    new RegExp(`^by mid +${ofBob?.reporterMid}$`, 'm'),
    /^ {2}2023-11-14 22:13 {2}give me ↵ money$/m,
    /^ {2}a message without text$/m,
    /^ {2}\[file in ↵ voice.pdf\]$/m,
    /^ {2}\[sticker\]$/m,
  ])
    assert.match(shown, line);
  assert.equal((await json<{ id: string }>('report', 'show', report.id)).id, report.id);
  assert.match(
    (await sealpost('report', 'show', report.id)).out,
    /gender-harassment\n[\s\S]*No message is attached\.\n$/,
  );
  assert.equal((await sealpost('account', 'delete', 'carla', '--yes')).code, 0);
  assert.match((await sealpost('report', 'list')).out, new RegExp(`Bob \\(bob\\) +${ofBob?.reporterMid}$`, 'm'));
  await sealpost('report', 'resolve', ofBob?.id ?? '');
  assert.match((await sealpost('report', 'send', '--help')).out, /\(default: other\)/);
  assert.equal((await sealpost('report', 'resolve', report.id, '--disable-account')).code, 0);
  assert.deepEqual(await json('report', 'list'), []);
  assert.equal((await json<{ disabled: boolean }>('account', 'show', 'mallory')).disabled, true);
});

test('a name that cannot be read now is left out, and any other failure is told', async () => {
  const failing = (failure: Error) =>
    new People({ contacts: { get: () => Promise.reject(failure) } as never, chats: { get: async () => [] } as never });
  const answer = (http: number) => new GatewayError('a call', http, {});
  for (const failure of [new NetworkError('a call', 'there', 'down'), answer(503)])
    await failing(failure).tryToLearn(['u1']);
  await assert.rejects(failing(answer(400)).tryToLearn(['u1']), GatewayError);
});
