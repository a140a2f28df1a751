// The tools of reports, for other kits that report in the same forms.
export { type JunitCase, type JunitSuite, junitDocument } from './junit-document.ts';
export { shown } from './mismatch.ts';
