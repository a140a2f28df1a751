export { type Administrators, createAdministrators } from './administrators.ts';
