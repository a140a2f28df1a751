// The open operation streams. Events can be written into a stream, and a stream can be made silent.
import type { ServerResponse } from 'node:http';
import type { StreamEventName } from '@sealpost/contract/schemas';
import type { AnswerTap } from './answer-tap.ts';

/** The stream of one client. */
export interface TappedStream {
  readonly mid: string;
  readonly response: ServerResponse;
  readonly tap: AnswerTap;
}

export interface StreamTaps {
  add(stream: TappedStream): void;
  of(mid: string): readonly TappedStream[];
}

export function createStreamTaps(): StreamTaps {
  const open = new Set<TappedStream>();
  return {
    add(stream) {
      open.add(stream);
      stream.response.once('close', () => open.delete(stream));
    },
    of: (mid) => [...open].filter((stream) => stream.mid === mid),
  };
}

/**
 * Writes a named event into a stream.
 * @param closes true if the protocol ends the stream after this event
 */
export function writeEvent({ response }: TappedStream, name: StreamEventName, data: unknown, closes: boolean): void {
  response.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
  if (closes) response.end();
}
