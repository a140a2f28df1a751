import { mediaProblem } from './media-problem.ts';
import { MediaShelf } from './media-shelf.ts';

const MOST_BYTES = 200_000_000;

/** The only media shelf of the page, so that the list of messages and the viewer share loaded media. */
export const shelf = new MediaShelf({
  mostBytes: MOST_BYTES,
  createUrl: (blob) => URL.createObjectURL(blob),
  revokeUrl: (url) => URL.revokeObjectURL(url),
  problemOf: mediaProblem,
});
