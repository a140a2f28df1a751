import { mediaProblem } from './media-problem.ts';
import { MediaShelf } from './media-shelf.ts';

const MOST_BYTES = 200_000_000;

/** The media of this page. There is one shelf, so that the list and the viewer share what is loaded. */
export const shelf = new MediaShelf({
  mostBytes: MOST_BYTES,
  createUrl: (blob) => URL.createObjectURL(blob),
  revokeUrl: (url) => URL.revokeObjectURL(url),
  problemOf: mediaProblem,
});
