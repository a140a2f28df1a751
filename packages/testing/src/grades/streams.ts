// The streams that the client opened.
import type { CallRecord } from '@sealpost/contract/workbench';
import type { Friend } from './friend.ts';
import type { Stage } from './stage.ts';
import { demandSame } from './verdict.ts';

export const AGAIN = 'open the operation stream again after it ended';

export const streams = (stage: Stage, after?: number): CallRecord[] => stage.calls('operationReceive', after);
export const againAfter = (stage: Stage, mark: number): Promise<CallRecord> =>
  stage.expected(
    'the stream to be opened again',
    () => streams(stage, mark)[0],
    () => 'no new stream',
  );

/** Demands that the client answered each text exactly once. */
export async function demandOnce(friend: Friend, texts: readonly string[]): Promise<void> {
  const heard = await friend.heard();
  for (const text of texts) {
    demandSame(`answers to "${text}"`, heard.filter((one) => one === `echo: ${text}`).length, 1);
  }
}
