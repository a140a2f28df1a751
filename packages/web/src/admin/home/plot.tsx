// A chart of a value over time, drawn by uPlot in the colours of the page.
import 'uplot/dist/uPlot.min.css';
import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import { clockTime } from '../parts/times.ts';

export interface PlotProps {
  readonly label: string;
  /** The times in seconds, and a value for each time. */
  readonly data: readonly [readonly number[], readonly number[]];
  readonly format: (value: number) => string;
  readonly className: string | undefined;
}

const AXIS_PX = 64;
/** Height in pixels of the space for the times below the line. */
const TIMES_PX = 28;

export default function Plot({ label, data, format, className }: PlotProps) {
  const { t, i18n } = useLingui();
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const formatOf = useRef(format);
  formatOf.current = format;
  const { locale } = i18n;
  const drawn = useRef(data);
  drawn.current = data;

  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const make = (): void => {
      plot.current?.destroy();
      plot.current = new uPlot(
        optionsOf(element, locale, (value) => formatOf.current(value)),
        aligned(drawn.current),
        element,
      );
    };
    make();
    // A canvas does not change its colours by itself, so the chart is drawn again when the theme changes.
    const theme = matchMedia('(prefers-color-scheme: dark)');
    theme.addEventListener('change', make);
    const chosen = new MutationObserver(make);
    chosen.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    const resized = new ResizeObserver(() => {
      plot.current?.setSize({ width: element.clientWidth, height: element.clientHeight });
    });
    resized.observe(element);
    return () => {
      theme.removeEventListener('change', make);
      chosen.disconnect();
      resized.disconnect();
      plot.current?.destroy();
      plot.current = undefined;
    };
  }, [locale]);
  useEffect(() => plot.current?.setData(aligned(data)), [data]);

  const values = data[1];
  const last = format(values.at(-1) ?? 0);
  const most = format(Math.max(0, ...values));
  return <div ref={place} className={className} role="img" aria-label={t`${label}: now ${last}, at most ${most}`} />;
}

const aligned = ([times, values]: PlotProps['data']): uPlot.AlignedData => [[...times], [...values]];

function optionsOf(element: HTMLElement, locale: string, format: (value: number) => string): uPlot.Options {
  const colour = (name: string): string => colourOf(element, name);
  const axis = { stroke: colour('--text-quiet'), grid: { stroke: colour('--line'), width: 1 }, ticks: { show: false } };
  const font = `12px ${getComputedStyle(element).fontFamily}`;
  return {
    width: element.clientWidth,
    height: element.clientHeight,
    legend: { show: false },
    cursor: { show: false },
    padding: [8, 8, 0, 0],
    scales: { y: { range: (_plot, least, most) => rangeOf(least, most) } },
    axes: [
      {
        ...axis,
        font,
        size: TIMES_PX,
        space: 72,
        values: (_plot, times) => times.map((at) => clockTime(locale, at * 1000)),
      },
      { ...axis, font, size: AXIS_PX, space: 32, values: (_plot, values) => values.map(format) },
    ],
    series: [{}, { stroke: colour('--accent'), fill: colour('--accent-soft'), width: 2, points: { show: false } }],
  };
}

/** Returns the range of an axis. It begins at zero, so that small changes do not look large. */
const rangeOf = (_least: number | null, most: number | null): [number, number] => [0, Math.max(1, (most ?? 0) * 1.15)];

/** Returns a colour of the page in a form that a canvas accepts, for the current theme. */
function colourOf(element: HTMLElement, name: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${name})`;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
