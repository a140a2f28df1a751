// The texts of the administration pages in the test language `pseudo`.
import { messages as accented } from '../../locales/admin/pseudo.po';
import { lengthened } from '../words/lengthened.ts';

export const messages = lengthened(accented);
