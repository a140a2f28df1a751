// The licences that the parts of the product may have.
import satisfies from 'spdx-satisfies';

/** The licences that the parts of a bundle may have. If a package offers several licences, one of them is enough. */
const IN_BUNDLES = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC-BY-3.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'Unlicense',
];
/** Licences that do not require their text beside a copy. */
const WITHOUT_TEXT = ['0BSD', 'CC0-1.0', 'Unlicense'];

/**
 * The licences that an installed package may have. LGPL is allowed because of libvips, which sharp loads as a separate
 * library.
 */
export const ALLOWED = [...IN_BUNDLES, 'LGPL-3.0-or-later'].sort();

/**
 * Returns true if a licence is in a list. A text that is not an SPDX expression cannot be judged, so the result is
 * false.
 */
function isAmong(licence: string, list: readonly string[]): boolean {
  try {
    return satisfies(licence, [...list]);
  } catch {
    return false;
  }
}

export const isAllowed = (licence: string): boolean => isAmong(licence, ALLOWED);

export const isAllowedInBundles = (licence: string): boolean => isAmong(licence, IN_BUNDLES);

export const asksForText = (licence: string): boolean => !isAmong(licence, WITHOUT_TEXT);
