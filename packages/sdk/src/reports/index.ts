// Reports of abuse. The code is loaded at the first use.
import { deferred } from '../deferred.ts';
import type { ReportsDeps, Reports as ReportVerbs } from './reports.ts';

export type { ReportReason, ReportsDeps } from './reports.ts';

export type Reports = Pick<ReportVerbs, keyof ReportVerbs>;

export const createReports = (deps: ReportsDeps): Reports =>
  deferred(['user', 'messages'], async () => new (await import('./reports.ts')).Reports(deps));
