// Places: which coordinates are real, and the addresses that show them. No map is loaded by the page itself.
import type { StoredMessage } from '@sealpost/sdk';

export interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

/** About one metre. */
const DIGITS = 5;
const ZOOM = 16;

const isWithin = (value: unknown, most: number): value is number =>
  typeof value === 'number' && Number.isFinite(value) && Math.abs(value) <= most;

/** Returns the point of a message; undefined if there is none on Earth. */
export function pointOf(location: StoredMessage['location']): Point | undefined {
  const { latitude, longitude } = location ?? {};
  return isWithin(latitude, 90) && isWithin(longitude, 180) ? { latitude, longitude } : undefined;
}

/** Returns coordinates as people write them. */
export const coordinates = ({ latitude, longitude }: Point): string =>
  `${latitude.toFixed(DIGITS)}, ${longitude.toFixed(DIGITS)}`;

/** Returns the address of a map on the web. */
export const webMap = ({ latitude, longitude }: Point): string => {
  const [lat, lon] = [latitude.toFixed(DIGITS), longitude.toFixed(DIGITS)];
  return `https://www.openstreetmap.org/?mlat=${lat}&mlon=${lon}#map=${ZOOM}/${lat}/${lon}`;
};

/** Returns the address that a map program of the device opens. */
export const geoAddress = ({ latitude, longitude }: Point): string =>
  `geo:${latitude.toFixed(DIGITS)},${longitude.toFixed(DIGITS)}`;
