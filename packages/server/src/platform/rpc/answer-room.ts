// Limits the size of an answer whose parts are large.
import { ApiError, limits } from '@sealpost/contract';

/** Counts the bytes of the parts of one answer, so that their sum is limited. */
export interface AnswerRoom {
  /**
   * Counts one part.
   * @throws INVALID_LENGTH if the parts now exceed the limit pageBytes
   */
  take(json: string): void;
}

/** @param what what is counted, for the error */
export function answerRoom(what: 'messages' | 'members'): AnswerRoom {
  const most = limits.pageBytes.value;
  let taken = 0;
  return {
    take(json) {
      taken += Buffer.byteLength(json);
      if (taken <= most) return;
      throw new ApiError('INVALID_LENGTH', `the ${what} are larger than the limit pageBytes, ${most}: ask for fewer`);
    },
  };
}
