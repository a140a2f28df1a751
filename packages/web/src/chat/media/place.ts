// Checks the coordinates of a place, and makes addresses of maps that show the place. The page itself does not load
// maps.
import type { StoredMessage } from '@sealpost/sdk';

export interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

/** Number of decimal places of coordinates. Five places are exact to about one metre. */
const DIGITS = 5;
const ZOOM = 16;

const isWithin = (value: unknown, most: number): value is number =>
  typeof value === 'number' && Number.isFinite(value) && Math.abs(value) <= most;

/** Returns the point that a message contains; undefined if there is none, or if the point is not on Earth. */
export function pointOf(location: StoredMessage['location']): Point | undefined {
  const { latitude, longitude } = location ?? {};
  return isWithin(latitude, 90) && isWithin(longitude, 180) ? { latitude, longitude } : undefined;
}

/** Returns coordinates in the form in which people write them. */
export const coordinates = ({ latitude, longitude }: Point): string =>
  `${latitude.toFixed(DIGITS)}, ${longitude.toFixed(DIGITS)}`;

/** Returns the address of a map on the web that shows a point. */
export const webMap = ({ latitude, longitude }: Point): string => {
  const [lat, lon] = [latitude.toFixed(DIGITS), longitude.toFixed(DIGITS)];
  return `https://www.openstreetmap.org/?mlat=${lat}&mlon=${lon}#map=${ZOOM}/${lat}/${lon}`;
};

/** Returns an address that opens a point in a map program of the device. */
export const geoAddress = ({ latitude, longitude }: Point): string =>
  `geo:${latitude.toFixed(DIGITS)},${longitude.toFixed(DIGITS)}`;
