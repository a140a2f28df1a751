// Polling for operations, for clients that do not open the stream.
import { optionalArg, rpc } from './method.ts';
import { Operation } from './operations.ts';
import { countUpTo, I64, list } from './schema.ts';

export const sync = {
  'TalkService.fetchOps': rpc({
    summary: 'Waits for operations after a revision and returns them, or an empty list if none came in time.',
    auth: 'user',
    limit: 'read',
    args: [
      optionalArg('localRev', I64),
      optionalArg('count', countUpTo('operationsPerPoll')),
      optionalArg('globalRev', I64),
      optionalArg('individualRev', I64),
    ],
    result: list(Operation),
    errors: ['EXPIRED_REVISION'],
    origin: 'compatibility',
  }),
} as const;
