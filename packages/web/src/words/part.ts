// Parts of the page that are loaded when they are first shown.
import { lazy } from 'react';
import { allWords } from './language.ts';

/**
 * Like React's `lazy`, but also waits until all texts are loaded. Used for all parts that the first screen can open.
 */
export const part: typeof lazy = (load) =>
  lazy(async () => {
    const [loaded] = await Promise.all([load(), allWords()]);
    return loaded;
  });
