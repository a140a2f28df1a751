// The page "Home": the state of the server, and its work in the last hour.
import { Trans, useLingui } from '@lingui/react/macro';
import type { AdminResult } from '@sealpost/sdk/admin';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useMemo } from 'react';
import { fileSize } from '../../words/numbers.ts';
import { adminClient } from '../client/session.ts';
import { useLoaded } from '../client/use-loaded.ts';
import { Page, Section, Shown } from '../parts/page.tsx';
import { placeAt } from '../parts/place.ts';
import { count } from '../parts/times.ts';
import { When } from '../parts/when.tsx';
import styles from './home-page.module.css';

const Plot = lazy(() => import('./plot.tsx'));

type Status = AdminResult<'showStatus'>;

/**
 * Milliseconds between two requests of the page. The server takes samples less often, but its state may change at any
 * time.
 */
const EVERY_MS = 5_000;

export default function HomePage() {
  const { t } = useLingui();
  const status = useLoaded('status', () => adminClient().showStatus(), EVERY_MS);
  return (
    <Page title={t`Home`}>
      <Shown of={status} rows={6}>
        {(shown) => (
          <>
            <Health status={shown} />
            <Tiles status={shown} />
            <Plots status={shown} />
            <p className={styles.server}>
              <Trans>
                Version {shown.version}, running since <When time={shown.startedTime} exact />, at{' '}
                <bdi>{shown.url}</bdi>
              </Trans>
            </p>
          </>
        )}
      </Shown>
    </Page>
  );
}

function Health({ status: { parts } }: { readonly status: Status }) {
  const { t } = useLingui();
  const names: Readonly<Record<string, string>> = {
    database: t`Database`,
    bus: t`Link between servers`,
    objects: t`Media`,
    disk: t`Disk`,
  };
  return (
    <ul className={styles.health} aria-label={t`Health`}>
      {parts.map(({ name, state }) => {
        const isFine = state === 'ok';
        return (
          <li key={name} data-fine={isFine}>
            {isFine ? <CircleCheck aria-hidden="true" /> : <CircleAlert aria-hidden="true" />}
            <span>
              <strong>{names[name] ?? name}</strong>
              <span>{isFine ? t`Works` : state}</span>
            </span>
          </li>
        );
      })}
    </ul>
  );
}

const perSecond = (value: number, everyMs: number): number => (value * 1000) / everyMs;

function Tiles({ status }: { readonly status: Status }) {
  const { t, i18n } = useLingui();
  const { locale } = i18n;
  const { disk, everyMs, openReports, samples, streams } = status;
  const last = samples.at(-1);
  const used = disk.totalBytes - disk.freeBytes;
  const open = openReports > 999 ? '999+' : count(locale, openReports);
  const free = fileSize(locale, disk.freeBytes);
  const total = fileSize(locale, disk.totalBytes);
  const share = disk.totalBytes === 0 ? 0 : used / disk.totalBytes;
  return (
    <dl className={styles.tiles}>
      <Tile name={t`Connected devices`}>{count(locale, streams)}</Tile>
      <Tile name={t`Messages a second`}>{last ? count(locale, perSecond(last.sends, everyMs), 1) : '–'}</Tile>
      <Tile name={t`Free disk`}>
        <span>
          <Trans>
            {free} <span className={styles.total}>of {total}</span>
          </Trans>
        </span>
        <meter
          className={styles.meter}
          min={0}
          max={1}
          low={0.8}
          high={0.9}
          optimum={0}
          value={share}
          aria-label={t`Used disk`}
        />
      </Tile>
      <Tile name={t`Open reports`}>
        <a
          className={styles.link}
          href={placeAt('reports', undefined, { status: 'open' })}
          aria-label={`${t`Open reports`}: ${open}`}
        >
          {open}
        </a>
      </Tile>
    </dl>
  );
}

const Tile = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div className={styles.tile}>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

/** A line needs at least two points. */
const LEAST_SAMPLES = 2;

function Plots({ status: { samples, everyMs } }: { readonly status: Status }) {
  const { t, i18n } = useLingui();
  const { locale } = i18n;
  const series = useMemo(() => {
    const times = samples.map(({ time }) => Date.parse(time) / 1000);
    const of = (value: (sample: Status['samples'][number]) => number) => [times, samples.map(value)] as const;
    return {
      streams: of((sample) => sample.streams),
      sends: of((sample) => perSecond(sample.sends, everyMs)),
      calls: of((sample) => perSecond(sample.calls, everyMs)),
      free: of((sample) => sample.freeBytes),
    };
  }, [samples, everyMs]);
  const rate = (value: number): string => count(locale, value, 1);
  const size = (value: number): string => (value === 0 ? count(locale, 0) : fileSize(locale, value));
  const plots = [
    { id: 'sends', name: t`Messages a second`, data: series.sends, format: rate },
    { id: 'streams', name: t`Connected devices`, data: series.streams, format: rate },
    { id: 'calls', name: t`Requests a second`, data: series.calls, format: rate },
    { id: 'free', name: t`Free disk`, data: series.free, format: size },
  ];
  return (
    <Section title={t`The last hour`}>
      {samples.length < LEAST_SAMPLES ? (
        <p className={styles.soon}>
          <Trans>The server has only just started. The plots begin after half a minute.</Trans>
        </p>
      ) : (
        <div className={styles.plots}>
          {plots.map(({ id, name, data, format }) => (
            <figure key={id} className={styles.plot}>
              <figcaption>{name}</figcaption>
              <Suspense fallback={<div className={styles.canvas} aria-busy="true" />}>
                <Plot label={name} data={data} format={format} className={styles.canvas} />
              </Suspense>
            </figure>
          ))}
        </div>
      )}
    </Section>
  );
}
