// Moves the times of tokens into the present. Otherwise, the tokens would look old, and clients would renew them first.

/** The fields with the time at which a token was issued or expires, in epoch seconds. */
const TIMES = /("(?:tokenIssueTimeEpochSec|expiration)"\s*:\s*"?)(\d{9,11})(?=\D)/g;

/** Returns an answer with the times of its tokens moved. */
export const inPresentTime = (text: string, shiftMs: number): string =>
  text.replace(
    TIMES,
    (_, field: string, seconds: string) => field + String(Number(seconds) + Math.round(shiftMs / 1000)),
  );
