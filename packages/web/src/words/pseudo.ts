// The texts of the messenger in the test language `pseudo`.
import { messages as accented } from '../../locales/pseudo.po';
import { lengthened } from './lengthened.ts';

export const messages = lengthened(accented);
