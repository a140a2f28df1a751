// Ends the streams and polls of a session that ended, whichever server ended it. The bus announces ended sessions. A
// regular check finds those whose announcement the bus lost.
import type { Bus } from '../platform/bus/bus.ts';
import type { Logger } from '../platform/kernel/logger.ts';
import type { Store } from '../platform/store/store.ts';
import { event } from '../platform/stream/frames.ts';
import type { OpenStreams } from '../platform/stream/open-streams.ts';
import type { OpenSession } from '../platform/stream/stream.ts';
import type { Sessions } from '../slices/sessions/index.ts';
import type { OperationPolls } from '../slices/sync/index.ts';

const LOGGED_OUT = event('talkException', { code: 8, reason: 'V3_TOKEN_CLIENT_LOGGED_OUT', parameterMap: null });

export interface SessionWatchDeps {
  readonly store: Store;
  readonly sessions: Pick<Sessions, 'forget' | 'ended' | 'onRevoked'>;
  readonly openStreams: Pick<OpenStreams, 'openSessions' | 'closeSession'>;
  readonly polls: Pick<OperationPolls, 'openSessions' | 'endSession'>;
  readonly bus: Bus;
  readonly logger: Logger;
  /** Called if another server appended to the log of an account. */
  readonly woken: (accountId: number) => void;
}

export interface SessionWatch {
  /** Ends the streams and polls of a session that ended. */
  end(accountId: number, sessionId: number): void;
  /** Checks the sessions of an account after another server ended some of them. */
  changed(accountId: number): Promise<void>;
  /** Checks that each open stream and poll of this server has a live session. */
  look(): Promise<void>;
}

function createSessionWatch({
  store,
  sessions,
  openStreams,
  polls,
}: Omit<SessionWatchDeps, 'bus' | 'logger' | 'woken'>): SessionWatch {
  function end(accountId: number, sessionId: number): void {
    polls.endSession(sessionId);
    openStreams.closeSession(accountId, sessionId, LOGGED_OUT);
  }

  async function look(open: readonly OpenSession[]): Promise<void> {
    if (open.length === 0) return;
    const ids = [...new Set(open.map(({ sessionId }) => sessionId))];
    const ended = new Set(await store.read((reader) => sessions.ended(reader, ids)));
    for (const { accountId, sessionId } of open.filter((session) => ended.has(session.sessionId))) {
      sessions.forget(accountId);
      end(accountId, sessionId);
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
 * Watches the sessions of this server and, through the bus, those that other servers end. Announces the sessions that
 * this server ends to the other servers.
 */
export function watchSessions({ bus, logger, woken, ...deps }: SessionWatchDeps): SessionWatch {
  const { sessions } = deps;
  const watch = createSessionWatch(deps);
  bus.onWake((kind, accountId) => {
    if (kind === 'log') woken(accountId);
    else watch.changed(accountId).catch((error: unknown) => logger.error({ error }, 'a revocation was not applied'));
  });
  sessions.onRevoked((accountId, sessionId) => {
    watch.end(accountId, sessionId);
    bus.wake('sessions', [accountId]);
  });
  return watch;
}
