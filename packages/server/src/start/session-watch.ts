// Ends the streams and polls of a session that ended, whichever server ended it. The bus announces ended sessions. A
// regular check finds ended sessions whose announcement was lost.
import { accountDeleted } from '@sealpost/contract';
import type { Bus } from '../platform/bus/bus.ts';
import type { Logger } from '../platform/kernel/logger.ts';
import type { Store } from '../platform/store/store.ts';
import { event } from '../platform/stream/frames.ts';
import type { OpenStreams } from '../platform/stream/open-streams.ts';
import type { OpenSession } from '../platform/stream/stream.ts';
import { ACCOUNT_DELETED, type Sessions } from '../slices/sessions/index.ts';
import type { OperationPolls } from '../slices/sync/index.ts';

const loggedOut = (parameterMap: Readonly<Record<string, string>> | null) =>
  event('talkException', { code: 8, reason: 'V3_TOKEN_CLIENT_LOGGED_OUT', parameterMap });
const LOGGED_OUT = loggedOut(null);
const DELETED = loggedOut(accountDeleted);

export interface SessionWatchDeps {
  readonly store: Store;
  readonly sessions: Pick<Sessions, 'forget' | 'ended' | 'areDeleted' | 'onRevoked'>;
  readonly openStreams: Pick<OpenStreams, 'openSessions' | 'closeSession'>;
  readonly polls: Pick<OperationPolls, 'openSessions' | 'endSession'>;
  readonly bus: Bus;
  readonly logger: Logger;
  /** Called when another server appended to the log of an account. */
  readonly woken: (accountId: number) => void;
}

export interface SessionWatch {
  /** Ends the streams and polls of a session that ended; `deleted` is true if its account was deleted. */
  end(accountId: number, sessionId: number, deleted: boolean): void;
  /** Finds the sessions of an account that another server ended, and ends their streams and polls. */
  changed(accountId: number): Promise<void>;
  /** Finds all open streams and polls of this server whose session has ended, and ends them. */
  look(): Promise<void>;
}

function createSessionWatch({
  store,
  sessions,
  openStreams,
  polls,
}: Omit<SessionWatchDeps, 'bus' | 'logger' | 'woken'>): SessionWatch {
  function end(accountId: number, sessionId: number, deleted: boolean): void {
    polls.endSession(sessionId);
    openStreams.closeSession(accountId, sessionId, deleted ? DELETED : LOGGED_OUT);
  }

  async function look(open: readonly OpenSession[]): Promise<void> {
    if (open.length === 0) return;
    const ids = [...new Set(open.map(({ sessionId }) => sessionId))];
    const ended = new Set(await store.read((reader) => sessions.ended(reader, ids)));
    for (const { accountId, sessionId } of open.filter((session) => ended.has(session.sessionId))) {
      sessions.forget(accountId);
      end(accountId, sessionId, await store.read((reader) => sessions.areDeleted(reader, accountId)));
    }
  }

  const openHere = (accountId?: number) => [...openStreams.openSessions(accountId), ...polls.openSessions(accountId)];

  return {
    end,
    async changed(accountId) {
      sessions.forget(accountId);
      await look(openHere(accountId));
    },
    look: () => look(openHere()),
  };
}

/**
 * Watches for ended sessions. Announces the sessions that this server ends to the other servers, and applies the
 * announcements of the other servers.
 */
export function watchSessions({ bus, logger, woken, ...deps }: SessionWatchDeps): SessionWatch {
  const { sessions } = deps;
  const watch = createSessionWatch(deps);
  bus.onWake((kind, accountId) => {
    if (kind === 'log') woken(accountId);
    else watch.changed(accountId).catch((error: unknown) => logger.error({ error }, 'a revocation was not applied'));
  });
  sessions.onRevoked((accountId, sessionId, reason) => {
    watch.end(accountId, sessionId, reason === ACCOUNT_DELETED);
    bus.wake('sessions', [accountId]);
  });
  return watch;
}
