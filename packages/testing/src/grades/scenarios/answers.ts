// Tests how a client reads answers: empty results, unknown fields, errors, and answers that do not come from the
// gateway.
import type { FaultRule } from '@sealpost/contract/workbench';
import { gapOf } from '../calls.ts';
import { basis, type ScenarioEntry, scenariosOf } from '../scenario.ts';
import { demand, demandSame } from '../verdict.ts';

const conventions = (fact: string) => basis('Wire conventions', fact);
const errors = (fact: string) => basis('Errors', fact);

const JSON_HEADERS = { 'content-type': 'application/json' };

const answerOf = (status: number, body: unknown): NonNullable<FaultRule['answer']> => ({
  status,
  headers: JSON_HEADERS,
  body: JSON.stringify(body),
});

/** Tests one of the three forms in which a method without a result may answer. */
const emptyResult = (what: string, envelope: Readonly<Record<string, unknown>>): ScenarioEntry => ({
  title: `A method without a result may answer with ${what}`,
  basis: conventions('RPC response body: message is OK on success and data holds the result'),
  consequence: 'What the user did has happened, and the client shows an error.',
  async play(stage) {
    const ann = await stage.talking();
    stage.fault('react', { answer: answerOf(200, envelope) });
    await ann.say('!react');
    await stage.reached('react to a message after the text !react, with react', () => stage.calls('react')[0]);
    await stage.expected(
      `the answer "reacted: yes" after a result with ${what}`,
      async () => ((await ann.heard()).includes('reacted: yes') ? true : undefined),
      async () => `the answers ${JSON.stringify(await ann.heard())}`,
    );
  },
});

/** Plays an answer that means "later". The client must make the same call again after a pause. */
const repeatedAfter =
  (answer: NonNullable<FaultRule['answer']>, why: string): ScenarioEntry['play'] =>
  async (stage) => {
    const ann = await stage.talking();
    stage.fault('sendMessage', { answer, times: 1 });
    await ann.say('once more');
    const first = await stage.reached('send a message', () => stage.sends('echo: once more')[0]);
    const second = await stage.expected(
      `the same send again ${why}`,
      () => stage.sends('echo: once more')[1],
      () => 'one send',
    );
    demandSame('the reqSeq of the first send', String(second.reqSeq), String(first.reqSeq));
    demand(
      gapOf(first.call, second.call) >= 80,
      'a pause before the second send',
      `${gapOf(first.call, second.call)} ms`,
    );
    await stage.hears(ann, 'once more', why);
  };

const laterConsequence = 'A message is lost in a busy moment, although the user sees no error.';

export const answers = scenariosOf('answers', {
  'data-null': emptyResult('data null', { code: 0, message: 'OK', data: null }),
  'data-empty': emptyResult('an empty object as data', { code: 0, message: 'OK', data: {} }),
  'data-absent': emptyResult('no data at all', { code: 0, message: 'OK' }),
  'unknown-fields': {
    title: 'Fields that the client does not know are skipped',
    basis: conventions('RPC response body: envelope with a message string and a data field'),
    consequence: 'The client stops working with the next version of the server.',
    async play(stage) {
      const ann = await stage.talking();
      const own = { id: '1000000000000001', from: stage.account.mid, to: ann.mid, toType: 0, contentType: 0 };
      const data = { ...own, createdTime: '1', deliveredTime: '1', contentMetadata: {}, brandNew: { list: [1, null] } };
      const fault = stage.fault('sendMessage', {
        answer: answerOf(200, { code: 0, message: 'OK', data, more: [] }),
        times: 1,
      });
      await ann.say('new fields');
      await stage.reached('send a message', () => stage.sends('echo: new fields')[0]);
      await stage.pass(1_000);
      demandSame('sends of a message that was accepted', stage.sends('echo: new fields').length, 1);
      fault.remove();
      await ann.say('and on');
      await stage.hears(ann, 'and on', 'after an answer with unknown fields');
    },
  },
  'code-before-status': {
    title: 'An error with HTTP 400 is judged by the codes in its body',
    basis: errors('Talk code 119: token renewal required. Application errors have HTTP 400 and the talk code in data'),
    consequence: 'A passing error ends in a lost message, because HTTP 400 looks final.',
    play: repeatedAfter(
      answerOf(400, {
        code: 10051,
        message: 'RESPONSE_ERROR',
        data: { name: 'TalkException', message: 'TalkException', code: 101, reason: 'server busy', parameterMap: null },
      }),
      'after SERVER_BUSY (101) with HTTP 400',
    ),
  },
  'should-retry': {
    title: 'After talk code 115 the same call is made again',
    basis: basis('docs/reference/errors.md', 'SHOULD_RETRY (115): send the same call again'),
    consequence: laterConsequence,
    play: repeatedAfter({ error: 'SHOULD_RETRY' }, 'after SHOULD_RETRY (115)'),
  },
  'error-with-200': {
    title: 'An envelope whose message is not OK is an error, also with HTTP 200',
    basis: errors('Envelope message not OK: the call is an error'),
    consequence: 'The client shows a message as sent that the server never took.',
    play: repeatedAfter(
      answerOf(200, {
        code: 10051,
        message: 'RESPONSE_ERROR',
        data: { name: 'TalkException', code: 115, reason: 'should retry' },
      }),
      'after an error with HTTP 200',
    ),
  },
  'not-the-gateway': {
    title: 'An answer of a proxy, with HTML and HTTP 502, counts as "later"',
    basis: errors('Server failure: 5xx; the call may be repeated with the same reqSeq'),
    consequence: 'A restart of the server loses messages, or ends the client.',
    play: repeatedAfter(
      { status: 502, headers: { 'content-type': 'text/html' }, body: '<html><h1>502 Bad Gateway</h1></html>' },
      'after an answer in HTML with HTTP 502',
    ),
  },
  'final-error': {
    title: 'A call that is refused for good is not made again and again',
    basis: errors('NOT_A_MEMBER and other talk codes of a refused call'),
    consequence: 'One refused message holds up all others of the chat, or the account is limited for abuse.',
    async play(stage) {
      const ann = await stage.talking();
      const fault = stage.fault('sendMessage', { answer: { error: 'NOT_FRIEND' } });
      await ann.say('refused');
      await stage.reached('send a message', () => stage.sends('echo: refused')[0]);
      await stage.pass(3_000);
      const { length } = stage.sends('echo: refused');
      demand(length <= 2, 'at most two sends of a message that is refused for good', `${length} sends within 3 s`);
      fault.remove();
      await ann.say('next');
      await stage.hears(ann, 'next', 'after a refused message');
    },
  },
  'broken-answer': {
    title: 'An answer that breaks off leaves the outcome open: the call is made again with the same reqSeq',
    basis: conventions('reqSeq: request sequence number of mutating calls; a repeat gets the first result'),
    consequence: 'A message comes twice, or is lost, when the network is bad.',
    async play(stage) {
      const ann = await stage.talking();
      stage.fault('sendMessage', { cut: 20, times: 1 });
      await ann.say('broken');
      await stage.reached('send a message', () => stage.sends('echo: broken')[0]);
      await stage.hears(ann, 'broken', 'although its answer broke off');
      await stage.pass(2_500);
      demandSame('answers', (await ann.heard()).filter((text) => text === 'echo: broken').length, 1);
      const numbers = new Set(stage.sends('echo: broken').map(({ reqSeq }) => reqSeq));
      demandSame('different reqSeq of one message', numbers.size, 1);
    },
  },
});
