// Polling for operations, for clients that do not open the stream.
import { optionalArg, rpc } from './method.ts';
import { Operation } from './operations.ts';
import { countUpTo, I64, i64, list } from './schema.ts';

export const sync = {
  'TalkService.fetchOps': rpc({
    summary:
      'Waits for operations after a revision and returns them, or an empty list if none came in 60 s or the time in X-LST.',
    auth: 'user',
    limit: 'read',
    args: [
      optionalArg('localRev', i64('; absent: the newest revision; below 0: as 0')),
      optionalArg('count', countUpTo('operationsPerPoll', '; 100 if absent')),
      optionalArg('globalRev', I64),
      optionalArg('individualRev', I64),
    ],
    result: list(Operation),
    errors: ['EXPIRED_REVISION'],
    origin: 'compatibility',
  }),
} as const;
