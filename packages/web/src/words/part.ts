// Parts of the page that are loaded when they are first shown.
import { lazy } from 'react';
import { allWords } from './language.ts';

/** Like React's `lazy`, for what the first screen can open: waits for the words of the part, too. */
export const part: typeof lazy = (load) =>
  lazy(async () => {
    const [loaded] = await Promise.all([load(), allWords()]);
    return loaded;
  });
