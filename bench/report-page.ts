// Puts the page of `npm run bench` together with the sections that other benches wrote.
import {
  CURVES_SECTION,
  DATABASE_SECTION,
  OBSERVABILITY_SECTION,
  PEERS_SECTION,
  SOAK_SECTIONS,
  sectionOf,
  withSection,
} from './page-section.ts';
import { pageOf, type Report } from './report.ts';
import { WEB_SECTION } from './web/report.ts';

const OTHERS = [
  CURVES_SECTION,
  ...Object.values(SOAK_SECTIONS),
  DATABASE_SECTION,
  OBSERVABILITY_SECTION,
  PEERS_SECTION,
  WEB_SECTION,
];

/** Returns the whole page. Sections that other benches wrote are kept. */
export const pageWith = (old: string, report: Report): string =>
  OTHERS.reduce((page, title) => {
    const section = sectionOf(old, title);
    return section === undefined ? page : withSection(page, title, section);
  }, pageOf(report));
