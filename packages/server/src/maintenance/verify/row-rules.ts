// The rules that one query can check.
import type { Query, Row } from '../../platform/store/sql.ts';
import { advice } from './finding.ts';
import * as q from './queries.ts';

/** A rule and the query for the rows that break it. */
export interface RowRule {
  readonly check: string;
  readonly query: Query<Row>;
  readonly table: string;
  readonly problem: (row: Row) => string;
  readonly advice: string;
}

const ofLog = (query: Query<Row>, problem: RowRule['problem']): RowRule => ({
  check: 'operation logs',
  query,
  table: 'operation',
  problem,
  advice: advice.log,
});
const ofSession = (query: Query<Row>, table: string, problem: RowRule['problem']): RowRule => ({
  check: 'sessions and tokens',
  query,
  table,
  problem,
  advice: advice.session,
});
const ofMedia = (query: Query<Row>, table: string, problem: RowRule['problem']): RowRule => ({
  check: 'media',
  query,
  table,
  problem,
  advice: advice.row,
});

export const rowRules: readonly RowRule[] = [
  ...q.dangling.map(({ table, reference, query }): RowRule => {
    const to = `${reference.table} (${reference.to.join(', ')})`;
    return { check: 'references', query, table, problem: () => `there is no such row in ${to}`, advice: advice.row };
  }),
  {
    ...ofLog(q.wrongHeads, ({ revision, first_revision: first }) => `revision ${revision} and first revision ${first}`),
    table: 'operation_head',
  },
  ofLog(q.beyondHead, ({ head }) => `the revision is above the head of the log, ${head}`),
  ofLog(q.keptBelow, ({ first_revision: first }) => `the revision is below the first of the log, ${first}`),
  ofLog(q.fallingIds, ({ earlier }) => `the message id is not above the one before, ${earlier}`),
  {
    ...ofLog(q.headsBehind, ({ message_id: id }) => `last_message_id is below the message ${id} of the log`),
    table: 'operation_head',
  },
  { ...ofLog(q.brokenRequests, () => 'the send points to no message'), check: 'requests' },
  {
    check: 'messages',
    query: q.otherBodies,
    table: 'message',
    problem: () => 'the stored text is not that of this message',
    advice: advice.row,
  },
  {
    check: 'chats',
    query: q.membersWithoutBox,
    table: 'chat_member',
    problem: () => 'the member has no message box for the chat',
    advice: advice.row,
  },
  {
    check: 'accounts',
    query: q.withoutProfile,
    table: 'account',
    problem: () => 'the account has no profile',
    advice: advice.row,
  },
  {
    check: 'accounts',
    query: q.withoutLog,
    table: 'account',
    problem: () => 'the account has no operation log',
    advice: advice.row,
  },
  ...q.keptOfDeleted.map(
    ({ table, query }): RowRule => ({
      ...{ check: 'accounts', query, table, advice: advice.row },
      problem: () => 'the account was deleted, and the row is there',
    }),
  ),
  {
    check: 'accounts',
    query: q.namesOfDeleted,
    table: 'account',
    problem: () => 'the account was deleted, and has a name to log in with',
    advice: advice.row,
  },
  ofSession(q.sessionsOfDeleted, 'login_session', () => 'the account was deleted, and the session is there'),
  ofSession(q.foreignTokens, 'access_token', ({ owner_id: owner }) => `the session belongs to the account ${owner}`),
  ofSession(
    q.foreignFamilies,
    'refresh_family',
    ({ owner_id: owner }) => `the session belongs to the account ${owner}`,
  ),
  ofSession(q.tokensAhead, 'access_token', ({ newest }) => `the generation is above the newest one, ${newest}`),
  ofSession(q.tokensWithoutFamily, 'access_token', () => 'the session cannot be renewed: it has no refresh family'),
  ofMedia(
    q.wrongUsage,
    'media_usage',
    ({ found, reserved }) => `the account has ${found} objects with ${reserved} bytes`,
  ),
  ofMedia(q.withoutUsage, 'media_object', () => 'the account has objects, and its usage is not counted'),
  ofMedia(
    q.incompleteObjects,
    'media_object',
    () => 'the object counts as whole, and has no size, no hash or fewer bytes',
  ),
];
