// The words of the messenger in the language `pseudo`.
import { messages as accented } from '../../locales/pseudo.po';
import { lengthened } from './lengthened.ts';

export const messages = lengthened(accented);
