// The main script of the inspector, a page for authors of clients.
import '../design/tokens.css';
import '../design/base.css';
import { createRoot } from 'react-dom/client';
import { applyTheme } from '../design/theme.ts';
import { App } from './app.tsx';
import { startFeed } from './feed/feed.ts';

applyTheme();
startFeed();
const place = document.getElementById('app');
if (place) createRoot(place).render(<App />);
