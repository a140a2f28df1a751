// Tests how a client keeps its operation stream open: where it continues, what ends the stream, and how soon the client
// reconnects.
import { queryOf } from '../calls.ts';
import { basis, scenariosOf } from '../scenario.ts';
import { CLIENT } from '../stage.ts';
import { lastRevision, namedEvent, operationEvent, received, scriptStream } from '../stream-script.ts';
import { AGAIN, againAfter, demandOnce, streams } from '../streams.ts';
import { demand, demandSame, need } from '../verdict.ts';

const events = (fact: string) => basis('Events', fact);
const gapConsequence = 'Messages that come while the connection is away are lost, or are answered twice.';

export const stream = scenariosOf('stream', {
  'resume-after-cut': {
    title: 'A stream that was cut continues from the last revision, without a gap and without repetition',
    basis: events('Operations sync by revision: localRev carries the cursor'),
    consequence: gapConsequence,
    async play(stage) {
      const ann = await stage.talking();
      await stage.echoes(ann, 'before');
      const mark = stage.mark();
      await stage.server.trigger({ account: CLIENT, event: 'cut' });
      for (const text of ['while away 1', 'while away 2']) await ann.say(text);
      const again = await againAfter(stage, mark);
      const log = await stage.server.operations(CLIENT);
      const handled = log.find(({ message }) => message?.text === 'before')?.revision ?? 0;
      demand(
        Number(queryOf(again, 'localRev')) >= Number(handled),
        `the last revision in localRev, at least ${handled}`,
        queryOf(again, 'localRev'),
      );
      await stage.hears(ann, 'while away 2', 'after the stream was cut');
      await stage.pass(1_000);
      await demandOnce(ann, ['hello', 'before', 'while away 1', 'while away 2']);
    },
  },
  'revisions-are-numbers': {
    title: 'Revisions are compared as numbers: 10 comes after 9',
    basis: events('localRev (i64) is the operation cursor; 64-bit integers are carried as decimal strings'),
    consequence: 'At revision 10, 100, 1000 and so on messages are lost.',
    async play(stage) {
      const ann = await stage.talking();
      // Cuts the stream once before the tenth revision and once after it.
      const cuts = [7, 14];
      for (let number = 1; (await lastRevision(stage)) < 24; number++) {
        await stage.echoes(ann, `number ${number}`);
        if ((await lastRevision(stage)) < (cuts[0] ?? Number.POSITIVE_INFINITY)) continue;
        cuts.shift();
        await stage.server.trigger({ account: CLIENT, event: 'cut' });
      }
      await ann.say('after the tenth');
      await stage.hears(ann, 'after the tenth', 'beyond revision 10');
      await stage.pass(500);
      const texts = (await ann.heard()).map((text) => text.replace('echo: ', ''));
      await demandOnce(ann, [...new Set(texts)]);
      const cursors = streams(stage).map((call) => Number(queryOf(call, 'localRev')));
      demand(
        cursors.every((cursor, index) => cursor >= (cursors[index - 1] ?? 0)),
        'a localRev that never falls',
        cursors,
      );
    },
  },
  'large-revisions': {
    title: 'Revisions beyond 2^53 keep all their digits',
    basis: basis('Wire conventions', '64-bit integers (message ids, revisions, times) are carried as decimal strings'),
    consequence: 'Messages are lost or repeated once the numbers are large.',
    async play(stage) {
      const ann = await stage.talking();
      const revision = '9007199254740993';
      await scriptStream(stage, namedEvent('fullSync', { reasons: [2], nextRevision: revision }));
      const cursor = await stage.reached(AGAIN, () => {
        const last = streams(stage).at(-1);
        return last && Number(queryOf(last, 'localRev')) > 2 ** 52 ? queryOf(last, 'localRev') : undefined;
      });
      demandSame('localRev', cursor, revision);
      need(ann.mid !== '', 'answer', 'nothing');
    },
  },
  'reconnect-event': {
    title: 'After the event reconnect the stream is opened again from the last revision',
    basis: events('reconnect: the client must reconnect'),
    consequence: gapConsequence,
    async play(stage) {
      const ann = await stage.talking();
      const mark = stage.mark();
      await stage.server.trigger({ account: CLIENT, event: 'reconnect' });
      const again = await againAfter(stage, mark);
      demand(Number(queryOf(again, 'localRev')) > 0, 'the last revision in localRev', again.path);
      await ann.say('after reconnect');
      await stage.hears(ann, 'after reconnect', 'on the new stream');
      await stage.pass(500);
      await demandOnce(ann, ['hello', 'after reconnect']);
    },
  },
  'full-sync': {
    title: 'After fullSync the stream continues at nextRevision',
    basis: events('fullSync: the client sets its localRev query value to nextRevision'),
    consequence: 'The client asks for the same lost operations for ever, and gets nothing new.',
    async play(stage) {
      await stage.talking();
      // A revision that the client cannot have reached by itself.
      const nextRevision = String((await lastRevision(stage)) + 40);
      await scriptStream(stage, namedEvent('fullSync', { reasons: [3], nextRevision }));
      const script = streams(stage).at(-1);
      const again = await stage.reached(AGAIN, () => streams(stage, script?.id)[0]);
      demandSame('localRev after fullSync', queryOf(again, 'localRev'), nextRevision);
    },
  },
  'talk-exception-119': {
    title: 'The event talkException with code 119 is handled like that error: renewal, then a new stream',
    basis: events('talkException: handled as an error; Reactive renewal: talk code 119'),
    consequence: 'The client is offline until it is started again.',
    async play(stage) {
      const ann = await stage.talking();
      await stage.server.trigger({ account: CLIENT, event: 'expireTokens' });
      await stage.server.trigger({ account: CLIENT, event: 'talkException', code: 119 });
      await ann.say('after 119');
      await stage.hears(ann, 'after 119', 'on a stream with new tokens');
      demand(stage.calls('tokenRefresh').length >= 1, 'tokenRefresh', 'none');
    },
  },
  'talk-exception-8': {
    title: 'The event talkException with code 8 ends the session: its token is not used any more',
    basis: events('talkException: handled as an error; it may cause a kick-out'),
    consequence: 'A device that the user logged out goes on calling, and the user cannot see that it is out.',
    async play(stage) {
      await stage.talking();
      const mark = stage.mark();
      await stage.server.trigger({ account: CLIENT, event: 'endSessions' });
      await stage.server.trigger({ account: CLIENT, event: 'talkException', code: 8 });
      await stage.pass(4_000);
      const dead = stage.calls(undefined, mark).filter(({ error }) => error?.code === 8 || error?.code === 10004);
      demand(dead.length <= 3, 'at most 3 calls with the ended session', `${dead.length} within 4 s`);
    },
  },
  'logged-out-elsewhere': {
    title: 'A client that another device logged out does not go on with the old session',
    basis: basis(
      'docs/login.md, Tokens',
      'SESSION_LOGGED_OUT (8): the session was logged out, revoked or replaced: log in again',
    ),
    consequence: 'The client looks connected, and sends nothing.',
    async play(stage) {
      const ann = await stage.talking();
      const mark = stage.mark();
      await stage.server.trigger({ account: CLIENT, event: 'endSessions' });
      await stage.server.trigger({ account: CLIENT, event: 'cut' });
      await ann.say('anybody there?');
      await stage.pass(4_000);
      const dead = stage.calls(undefined, mark).filter(({ error }) => error?.code === 8 || error?.code === 10004);
      demand(dead.length <= 4, 'at most 4 calls with the ended session', `${dead.length} within 4 s`);
      const spent = stage.calls('tokenRefresh', mark).length;
      demand(spent <= 1, 'no renewal after renewal of the ended session', `${spent} renewals`);
    },
  },
  ping: {
    title: 'A ping changes nothing',
    basis: events('ping: keep-alive, about every 20 seconds'),
    consequence: 'The client reconnects every 20 seconds, or stumbles over an event without an operation.',
    async play(stage) {
      const ann = await stage.talking();
      const mark = stage.mark();
      for (let count = 0; count < 3; count++) await stage.server.trigger({ account: CLIENT, event: 'ping' });
      await ann.say('after pings');
      await stage.hears(ann, 'after pings', 'on the same stream');
      demandSame('new streams', streams(stage, mark).length, 0);
    },
  },
  restart: {
    title: 'A restarted client answers what came while it was stopped, once, and nothing again',
    basis: events('Operations sync by revision: localRev carries the cursor'),
    consequence: 'Messages from the time of an update are lost, or old ones are answered again.',
    async play(stage) {
      const ann = await stage.talking();
      await stage.stop();
      for (const text of ['while stopped 1', 'while stopped 2']) await ann.say(text);
      await stage.start();
      await stage.hears(ann, 'while stopped 2', 'after the start');
      await stage.pass(1_000);
      await demandOnce(ann, ['hello', 'while stopped 1', 'while stopped 2']);
    },
  },
  'unknown-event': {
    title: 'Events with a name that the client does not know are skipped',
    basis: events('Named events: ping, connInfoRevision, reconnect, talkException, fullSync; further names not shown'),
    consequence: 'The client breaks with the next version of the server.',
    async play(stage) {
      const ann = await stage.talking();
      const message = await ann.say('behind unknown events');
      await stage.hears(ann, 'behind unknown events', 'as usual');
      const next = (await lastRevision(stage)) + 1;
      const later = { ...message, id: String(BigInt(message.id) + 1n), text: 'after unknown events' };
      await scriptStream(
        stage,
        namedEvent('connInfoRevision', 17),
        namedEvent('partialFullSync', { targetCategories: { 4: '1700000000000' } }),
        namedEvent('brandNew', { anything: [1, { deep: null }] }),
        operationEvent(received(String(next), later)),
      );
      await stage.hears(ann, 'after unknown events', 'that stands behind events without a known name');
    },
  },
  'broken-event': {
    title: 'An event that breaks off is not handled, and comes again on the next stream',
    basis: events('Server-sent events: an event ends with an empty line'),
    consequence: 'Half a message is shown, or the client stops with an error.',
    async play(stage) {
      const ann = await stage.talking();
      const revision = await lastRevision(stage);
      const message = { ...(await ann.say('whole')), text: 'half' };
      await stage.hears(ann, 'whole', 'as usual');
      const whole = operationEvent(received(String(revision + 9), message));
      await scriptStream(stage, whole.slice(0, -20));
      await ann.say('after the break');
      await stage.hears(ann, 'after the break', 'on the next stream');
      demand(!(await ann.heard()).includes('echo: half'), 'no answer to half an event', 'echo: half');
    },
  },
});
