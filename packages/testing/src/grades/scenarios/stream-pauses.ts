// Tests when a client gives up a stream, and how soon it opens another one.
import { gapsOf } from '../calls.ts';
import { basis, scenariosOf } from '../scenario.ts';
import { CLIENT } from '../stage.ts';
import { AGAIN, againAfter, demandOnce, streams } from '../streams.ts';
import { demand, demandSame } from '../verdict.ts';

const events = (fact: string) => basis('Events', fact);

export const streamPauses = scenariosOf('stream', {
  silence: {
    title: 'A stream without pings counts as dead after 30 s, and is opened again',
    basis: events('ping arrives about every 20 seconds (range 20000 ms, spare 10000 ms)'),
    consequence: 'After a change of the network no messages come until the user starts the client again.',
    async play(stage) {
      const ann = await stage.talking();
      const mark = stage.mark();
      await stage.server.trigger({ account: CLIENT, event: 'silence' });
      await ann.say('into the silence');
      await stage.pass(33_000);
      await againAfter(stage, mark);
      await stage.hears(ann, 'into the silence', 'after the silent stream was given up');
      await demandOnce(ann, ['into the silence']);
    },
  },
  'not-too-early': {
    title: 'A stream that says nothing for ten seconds is left alone',
    basis: events('ping arrives about every 20 seconds (range 20000 ms, spare 10000 ms)'),
    consequence: 'The client reconnects all the time, which empties the battery.',
    async play(stage) {
      await stage.talking();
      const mark = stage.mark();
      await stage.pass(10_000);
      demandSame('new streams within 10 s', streams(stage, mark).length, 0);
    },
  },
  'open-refused': {
    title: 'A stream that cannot be opened is tried again after growing pauses',
    basis: basis('docs/reference/http.md, operationReceive', 'failed opens: back-off'),
    consequence: 'While the server is down, all clients call it in a loop, and it does not come up again.',
    async play(stage) {
      const ann = await stage.talking();
      const mark = stage.mark();
      const fault = stage.fault('operationReceive', {
        answer: { status: 503, body: '{"code":10052,"message":"x"}' },
        times: 3,
      });
      await stage.server.trigger({ account: CLIENT, event: 'cut' });
      const opened = await stage.reached(
        AGAIN,
        () => (streams(stage, mark).length >= 4 ? streams(stage, mark) : undefined),
        40_000,
      );
      fault.remove();
      const gaps = gapsOf(opened);
      demand(
        gaps.every((gap) => gap >= 100),
        'a pause of 100 ms at least before each attempt',
        `${gaps} ms`,
      );
      demand(gaps.reduce((sum, gap) => sum + gap, 0) >= 1_000, 'pauses of 1000 ms together at least', `${gaps} ms`);
      await ann.say('up again');
      await stage.hears(ann, 'up again', 'after the server is back');
    },
  },
  'short-lived': {
    title: 'Streams that end at once are not opened again without a pause',
    basis: basis('docs/reference/http.md, operationReceive', 'failed opens: back-off'),
    consequence: 'A fault of the server becomes a flood of calls.',
    async play(stage) {
      const ann = await stage.talking();
      const mark = stage.mark();
      const headers = { 'content-type': 'text/event-stream' };
      const fault = stage.fault('operationReceive', { answer: { status: 200, headers, body: ': end\n\n' } });
      await stage.server.trigger({ account: CLIENT, event: 'cut' });
      await stage.reached(AGAIN, () => streams(stage, mark)[0]);
      const from = stage.mark();
      await stage.watch(3_000);
      const opened = streams(stage, from).length;
      fault.remove();
      demand(opened <= 12, 'at most 12 streams in 3 s', `${opened}`);
      await ann.say('at last');
      await stage.hears(ann, 'at last', 'on a stream that lasts');
    },
  },
});
