// A message with a place: its name, its coordinates, and links that open a map. The page itself does not load maps.
import { Trans, useLingui } from '@lingui/react/macro';
import type { StoredMessage } from '@sealpost/sdk';
import { MapPin } from 'lucide-react';
import { coordinates, geoAddress, pointOf, webMap } from '../../../media/place.ts';
import styles from './media.module.css';

export function PlaceContent({ message: { location } }: { message: StoredMessage }) {
  const { t } = useLingui();
  const point = pointOf(location);
  return (
    <div className={styles.card}>
      <div className={styles.row}>
        <span className={styles.icon} aria-hidden="true">
          <MapPin />
        </span>
        <p className={styles.about}>
          <strong>
            <bdi>{location?.title || t`Place`}</bdi>
          </strong>
          {location?.address && (
            <span>
              <bdi>{location.address}</bdi>
            </span>
          )}
          <span>{point ? coordinates(point) : t`Without coordinates`}</span>
        </p>
      </div>
      {point && (
        <p className={styles.links}>
          <a href={webMap(point)} target="_blank" rel="noopener noreferrer nofollow">
            <Trans>Open a map on the web</Trans>
          </a>
          <a href={geoAddress(point)} rel="noopener noreferrer nofollow">
            <Trans>Open in a map program</Trans>
          </a>
        </p>
      )}
    </div>
  );
}
