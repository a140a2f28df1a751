import { brandHeader, httpPaths } from '@sealpost/contract';
import { httpEndpoints, streamEvents } from '@sealpost/contract/schemas';
import { expectError, expectSchema } from '../answers.ts';
import { scenarios } from '../check.ts';
import { expectEqual, expectThat } from '../mismatch.ts';
import { operationsOf, type Person } from '../person.ts';
import type { OpenStream } from '../stream.ts';
import { openStream } from '../stream.ts';

const textsOf = (stream: OpenStream) => operationsOf(stream).map(({ message }) => message?.text);
const untilText = (stream: OpenStream, text: string) =>
  stream.operation(({ message }) => String(message?.text) === text);
const sayAll = async (from: Person, to: Person, texts: readonly string[]) => {
  for (const text of texts) await from.say(to.mid, text);
};

export const sync = scenarios('sync', {
  framing: {
    endpoint: 'operationReceive',
    heading: 'Events',
    expects:
      'The stream is text/event-stream: first connInfoRevision, then operations as unnamed events of one line of JSON',
    async run({ people }) {
      const [alice, bob] = await people('alice', 'bob');
      await alice.say(bob.mid, 'one');
      const opened = await bob.stream('?localRev=0&version=3.7.2&lastPartialFullSyncs=%7B%7D&language=en_US');
      await untilText(opened, 'one');
      opened.close();
      expectThat(/^text\/event-stream/.test(opened.contentType ?? ''), 'text/event-stream', opened.contentType);
      const [first] = opened.events();
      expectEqual('the first event to be', first?.name, 'connInfoRevision');
      expectSchema('connInfoRevision', streamEvents.connInfoRevision.data, first?.data);
      expectThat(!opened.lines().some((line) => line.endsWith('\r')), 'lines that end in LF alone', opened.lines());
      operationsOf(opened);
    },
  },
  'replay-then-live': {
    endpoint: 'operationReceive',
    heading: 'Operation stream, long polls, notices',
    expects: 'Everything after localRev is replayed in order, then operations come as they happen, each exactly once',
    async run({ people }) {
      const [alice, bob] = await people('alice', 'bob');
      const missed = ['m1', 'm2', 'm3'];
      await sayAll(alice, bob, missed);
      const opened = await bob.stream('?localRev=0');
      await untilText(opened, 'm3');
      const live = ['l1', 'l2', 'l3'];
      await sayAll(alice, bob, live);
      await untilText(opened, 'l3');
      opened.close();
      expectEqual('the stream to bring', textsOf(opened), [...missed, ...live]);
    },
  },
  'exactly-once-under-load': {
    endpoint: 'operationReceive',
    heading: 'Operation stream, long polls, notices',
    expects: 'Streams that open while others write bring every operation once, without a gap',
    async run({ people }) {
      const [alice, bob, carol] = await people('alice', 'bob', 'carol');
      const count = 40;
      const writing = (from: Person) =>
        Promise.all(Array.from({ length: count }, (_, i) => from.say(bob.mid, `${from.mid} ${i}`)));
      const writers = Promise.all([writing(alice), writing(carol)]);
      const readers = await Promise.all(Array.from({ length: 3 }, () => bob.stream('?localRev=0')));
      await writers;
      await alice.say(bob.mid, 'end');
      for (const reader of readers) {
        await untilText(reader, 'end');
        reader.close();
        expectEqual('operations on the stream', operationsOf(reader).length, 2 * count + 1);
        expectEqual('different texts among them', new Set(textsOf(reader)).size, 2 * count + 1);
      }
    },
  },
  'resume-by-revision': {
    endpoint: 'operationReceive',
    heading: 'Events',
    expects: 'A stream that opens with the last revision continues after it, without repetition',
    async run({ people }) {
      const [alice, bob] = await people('alice', 'bob');
      await sayAll(alice, bob, ['a', 'b']);
      const first = await bob.stream('?localRev=0');
      await untilText(first, 'b');
      first.close();
      const last = operationsOf(first).at(-1)?.revision;
      await sayAll(alice, bob, ['c', 'd']);
      const second = await bob.stream(`?localRev=${last}`);
      await untilText(second, 'd');
      second.close();
      expectEqual('the second stream to bring', textsOf(second), ['c', 'd']);
    },
  },
  'resume-by-last-event-id': {
    endpoint: 'operationReceive',
    heading: 'Events',
    expects: 'Last-Event-ID of a browser that reconnects counts as localRev; the larger of the two is used',
    async run({ people }) {
      const [alice, bob] = await people('alice', 'bob');
      await sayAll(alice, bob, ['a', 'b', 'c', 'd']);
      const [first, , third] = await bob.log('0');
      const opened = await bob.stream(`?localRev=${first?.revision}`, { 'Last-Event-ID': String(third?.revision) });
      await untilText(opened, 'd');
      opened.close();
      expectEqual('the stream to bring', textsOf(opened), ['d']);
    },
  },
  'without-a-cursor': {
    endpoint: 'operationReceive',
    heading: 'Operation stream, long polls, notices',
    expects: 'Without localRev the stream brings only what happens from now on',
    async run({ people }) {
      const [alice, bob] = await people('alice', 'bob');
      await alice.say(bob.mid, 'before');
      const opened = await bob.stream('');
      await opened.event('connInfoRevision');
      await alice.say(bob.mid, 'after');
      await untilText(opened, 'after');
      opened.close();
      expectEqual('the stream to bring', textsOf(opened), ['after']);
    },
  },
  'full-sync': {
    endpoint: 'operationReceive',
    heading: 'Events',
    expects: 'A cursor ahead of the log gets fullSync with the newest revision, then live operations',
    async run({ people }) {
      const [alice, bob] = await people('alice', 'bob');
      await alice.say(bob.mid, 'one');
      const head = await bob.revision();
      const opened = await bob.stream('?localRev=9223372036854775807');
      const { data } = await opened.event('fullSync');
      expectSchema('fullSync', streamEvents.fullSync.data, data);
      expectEqual('nextRevision to be', data.nextRevision, head);
      await alice.say(bob.mid, 'two');
      await untilText(opened, 'two');
      opened.close();
    },
  },
  'every-session': {
    endpoint: 'operationReceive',
    heading: 'Events',
    expects: "Every session of an account gets every operation once, the session's own echo included",
    async run({ people }) {
      const [alice, bob] = await people('alice', 'bob');
      const other = await alice.session();
      const from = await alice.revision();
      const streams = await Promise.all([alice, other].map((session) => session.stream(`?localRev=${from}`)));
      await sayAll(alice, bob, ['mine']);
      await sayAll(bob, alice, ['yours', 'end']);
      for (const opened of streams) {
        await untilText(opened, 'end');
        opened.close();
        expectEqual('the stream to bring', textsOf(opened), ['mine', 'yours', 'end']);
      }
    },
  },
  'ends-with-the-session': {
    endpoint: 'operationReceive',
    heading: 'Events',
    expects: 'A logout ends the stream of that session with talkException, and the next stream is refused',
    async run({ people, raw }) {
      const [alice] = await people('alice');
      const { token } = alice;
      const opened = await alice.stream('');
      await opened.event('connInfoRevision');
      await alice.client.logout();
      const { data } = await opened.event('talkException');
      expectSchema('talkException', streamEvents.talkException.data, data);
      expectEqual('the reason to be', data.reason, 'V3_TOKEN_CLIENT_LOGGED_OUT');
      await opened.closed;
      const again = await raw.send(httpPaths.operationReceive, { verb: 'GET', token });
      expectError(
        'the stream of a session that logged out',
        again,
        'SESSION_LOGGED_OUT',
        httpEndpoints.operationReceive,
      );
    },
  },
  'token-in-the-cookie': {
    endpoint: 'operationReceive',
    heading: 'Authentication',
    expects: 'The stream also accepts the token from the cookie lct, and needs no signature',
    async run({ people, raw }) {
      const [alice, bob] = await people('alice', 'bob');
      await alice.say(bob.mid, 'one');
      const path = `${httpPaths.operationReceive}?localRev=0`;
      for (const headers of [{ Cookie: `a=b; lct=${bob.token}` }, { [brandHeader(raw.brand, 'access')]: bob.token }]) {
        const opened = await openStream(raw.url, path, headers);
        await untilText(opened, 'one');
        opened.close();
      }
    },
  },
  'bad-cursor': {
    endpoint: 'operationReceive',
    heading: 'Errors',
    expects: 'A localRev that is not a number is refused with code 10003',
    async run({ people, raw }) {
      const [alice] = await people('alice');
      const path = `${httpPaths.operationReceive}?localRev=abc`;
      const answer = await raw.send(path, { verb: 'GET', token: alice.token });
      expectError('localRev=abc', answer, 'REQUEST_SCHEMA');
    },
  },
  polling: {
    endpoint: 'TalkService.fetchOps',
    heading: 'none: an endpoint beyond the specification (compatibility)',
    expects: 'Polling returns the operations after a revision, the same as the stream',
    async run({ people }) {
      const [alice, bob] = await people('alice', 'bob');
      await sayAll(alice, bob, ['a', 'b']);
      expectEqual('fetchOps to answer', await bob.call('TalkService.fetchOps', '0', 50), await bob.log('0'));
    },
  },
});
