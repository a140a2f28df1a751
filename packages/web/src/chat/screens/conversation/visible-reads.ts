// Finds out which message a person has seen.
import type { VirtualItem } from '@tanstack/react-virtual';
import type { Row } from '../../rows/rows.ts';

const SLACK_PX = 4;

/** Returns the id of the newest received message whose lower edge is above the lower edge of the view. */
export function newestVisible(
  rows: readonly Row[],
  items: readonly Pick<VirtualItem, 'index' | 'end'>[],
  viewEnd: number,
  me: string,
): string | undefined {
  const seen = items.findLast(({ index, end }) => {
    const row = rows[index];
    return row?.kind === 'message' && row.message.from !== me && end <= viewEnd + SLACK_PX;
  });
  const row = seen && rows[seen.index];
  return row?.kind === 'message' ? row.message.id : undefined;
}

/** Returns the newest message that was visible at two consecutive checks; undefined if one of the checks found none. */
export function seenTwice(before: string | undefined, now: string | undefined): string | undefined {
  if (before === undefined || now === undefined) return undefined;
  return Number(now) < Number(before) ? now : before;
}
