// The frame of the inspector: its screens, the clock, and the state of the connection.
import { Activity, FlaskConical, Layers, Moon, ServerCog, Sun } from 'lucide-react';
import { type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react';
import { IconButton } from '../design/button.tsx';
import { cx } from '../design/cx.ts';
import { chooseTheme, chosenTheme } from '../design/theme.ts';
import ToastRegion from '../design/toast-region.tsx';
import styles from './app.module.css';
import { CallsScreen } from './calls/calls-screen.tsx';
import { useInspector } from './feed/store.ts';
import { OperationsScreen } from './operations/operations-screen.tsx';
import { useDarkSystem } from './parts/media.ts';
import { type Place, placeAt, type ScreenName, usePlace } from './parts/place.ts';
import { dayAndTime } from './parts/times.ts';
import { ServerScreen } from './server/server-screen.tsx';

const LabScreen = lazy(() => import('./lab/lab-screen.tsx'));

const tabs: readonly (readonly [ScreenName, string, ComponentType])[] = [
  ['calls', 'Calls', Activity],
  ['operations', 'Operations', Layers],
  ['server', 'Server', ServerCog],
  ['lab', 'Sealing lab', FlaskConical],
];

export function App() {
  const place = usePlace();
  return (
    <div className={styles.app}>
      <header className={styles.header}>
        <h1 className={styles.brand}>
          <img src={new URL('../../public/icon.svg', import.meta.url).href} alt="" width={24} height={24} />
          <span>Inspector</span>
        </h1>
        <nav className={styles.tabs} aria-label="Inspector">
          {tabs.map(([screen, text, Icon]) => (
            <a
              key={screen}
              href={placeAt(screen)}
              className={cx(styles.tab, place.screen === screen && styles.current)}
              {...(place.screen === screen && { 'aria-current': 'page' as const })}
            >
              <Icon />
              <span>{text}</span>
            </a>
          ))}
        </nav>
        <div className={styles.ends}>
          <Clock />
          <Connection />
          <ThemeButton />
        </div>
      </header>
      <main className={styles.main}>
        <Suspense fallback={<p aria-busy="true" className={styles.loading} />}>{screenAt(place)}</Suspense>
      </main>
      <ToastRegion label="Messages of the page" closeLabel="Close" />
    </div>
  );
}

function screenAt({ screen, chosen }: Place): ReactNode {
  switch (screen) {
    case 'calls':
      return <CallsScreen chosen={chosen} />;
    case 'operations':
      return <OperationsScreen account={chosen} />;
    case 'server':
      return <ServerScreen />;
    case 'lab':
      return <LabScreen />;
  }
}

function Clock() {
  const clock = useInspector((state) => state.clock);
  return clock?.mode === 'virtual' ? (
    <a className={styles.clock} href={placeAt('server')} title="The virtual clock of the server">
      {dayAndTime(clock.now)}
    </a>
  ) : null;
}

const connectionText = { opening: 'Connecting', live: 'Live', lost: 'Not connected' } as const;

function Connection() {
  const connection = useInspector((state) => state.connection);
  return (
    <span className={cx(styles.connection, styles[connection])} role="status">
      {connectionText[connection]}
    </span>
  );
}

function ThemeButton() {
  const [theme, setTheme] = useState(chosenTheme);
  const darkSystem = useDarkSystem();
  const isDark = theme === 'dark' || (theme === 'system' && darkSystem);
  const turn = (): void => {
    const next = isDark ? 'light' : 'dark';
    chooseTheme(next);
    setTheme(next);
  };
  return (
    <IconButton label={isDark ? 'Light colours' : 'Dark colours'} onClick={turn}>
      {isDark ? <Sun /> : <Moon />}
    </IconButton>
  );
}
