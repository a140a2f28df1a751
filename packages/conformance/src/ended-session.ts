// Requires that a session has ended. If the target consists of several servers, the other servers learn of it a moment
// later.
import { expectError } from './answers.ts';
import { expectEqual } from './mismatch.ts';
import type { RawAnswer, RawClient } from './raw-client.ts';
import { clock, pause } from './surroundings.ts';

/** Milliseconds until every server of a target must know that a session has ended. */
const PATIENCE_MS = 2_000;
const PAUSE_MS = 50;

/** Calls with the token of a session that ended, until the call is refused. Returns the refusal. */
export async function expectEnded(raw: RawClient, token: string): Promise<RawAnswer> {
  const end = clock.now() + PATIENCE_MS;
  let answer = await raw.call('TalkService.getProfile', [], token);
  while (answer.status === 200 && clock.now() < end) {
    await pause(PAUSE_MS);
    answer = await raw.call('TalkService.getProfile', [], token);
  }
  const reason = expectError('a call of the ended session', answer, 'SESSION_LOGGED_OUT');
  expectEqual('the reason to be', reason, 'V3_TOKEN_CLIENT_LOGGED_OUT');
  return answer;
}
