// Asks the server whether a user id is still free while the user types it.
import { useEffect, useState } from 'react';
import { registration } from '../../../client/registration.ts';

/** Milliseconds without typing before the server is asked. */
const PAUSE_MS = 400;

/**
 * Returns true if a user id is free, false if it is taken; undefined while that is not known.
 * @param userid the user id in normal form; undefined if there is no valid user id to ask about
 * @param code the code of the invite
 */
export function useFreeCheck(userid: string | undefined, code: string | undefined): boolean | undefined {
  const [known, setKnown] = useState<{ readonly userid: string; readonly free: boolean }>();
  useEffect(() => {
    if (userid === undefined) return;
    let isWanted = true;
    const ask = async (): Promise<void> => {
      const { free } = await registration.checkUserid(userid, code);
      if (isWanted) setKnown({ userid, free });
    };
    // The registration also reports a taken user id, so a failure of this call is not shown.
    const timer = setTimeout(() => ask().catch(() => undefined), PAUSE_MS);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [userid, code]);
  return known && known.userid === userid ? known.free : undefined;
}
