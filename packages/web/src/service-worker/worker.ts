// The service worker. It opens the page without a connection, and shows notifications while the page is closed.

/** The addresses of the page and of its files. The build inserts them. */
declare const SHELL_FILES: readonly string[];
/** A text that differs between builds. */
declare const BUILD_ID: string;

interface WorkerScope extends EventTarget {
  readonly clients: Clients;
  readonly registration: ServiceWorkerRegistration;
  readonly location: Location;
}
interface Clients {
  matchAll(options: { type: 'window'; includeUncontrolled: true }): Promise<readonly WindowClient[]>;
  openWindow(url: string): Promise<unknown>;
  claim(): Promise<void>;
}
interface WindowClient {
  readonly url: string;
  readonly visibilityState: string;
  focus(): Promise<unknown>;
  postMessage(message: unknown): void;
}
interface Extendable extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface Fetch extends Extendable {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}
interface Push extends Extendable {
  readonly data: { json(): unknown } | null;
}
interface NotificationClick extends Extendable {
  readonly notification: Notification;
}

const scope = globalThis as unknown as WorkerScope;
const SHELL = `sealpost-shell-${BUILD_ID}`;
/** The cache in which the page stores the texts of notifications in its language. */
const WORDS = 'sealpost-words';
const WORDS_PATH = '/notification-words';
const PATIENCE_MS = 700;

const on = <E extends Extendable>(name: string, run: (event: E) => void): void =>
  scope.addEventListener(name, (event) => run(event as E));

on('install', (event) => event.waitUntil(caches.open(SHELL).then((cache) => cache.addAll([...SHELL_FILES]))));

on('activate', (event) => event.waitUntil(Promise.all([removeOldShells(), scope.clients.claim()])));

on<Fetch>('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== scope.location.origin) return;
  if (request.mode === 'navigate' && pathname === '/') event.respondWith(page(request));
  else if (pathname.startsWith('/assets/')) event.respondWith(asset(request));
});

on<Push>('push', (event) => event.waitUntil(notify((event.data?.json() ?? {}) as { chat?: string })));

on<NotificationClick>('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(show((event.notification.data as { chat?: string } | undefined)?.chat));
});

/** Removes the caches of earlier builds. The cache of the previous build stays, because a tab may still need it. */
async function removeOldShells(): Promise<void> {
  const shells = (await caches.keys()).filter((name) => name.startsWith('sealpost-shell-') && name !== SHELL);
  await Promise.all(shells.slice(0, -1).map((name) => caches.delete(name)));
}

/**
 * Returns the page from the server. Returns the cached page if the server does not answer soon, or if only a proxy in
 * front of it answers.
 */
async function page(request: Request): Promise<Response> {
  // The cache of the previous build has a page too, and is older.
  const kept = caches.match('/', { cacheName: SHELL });
  const asked = fetch(request);
  // If the cached page is used, nobody waits for this answer, and its failure must not be reported as unhandled.
  asked.catch(() => undefined);
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, PATIENCE_MS));
  const answer = await Promise.race([asked, late]).catch(() => undefined);
  if (answer && answer.status < 500) return answer;
  return (await kept) ?? answer ?? asked;
}

/**
 * Returns a file whose content never changes, from the cache. If the cache does not have the file, fetches and caches
 * it.
 */
async function asset(request: Request): Promise<Response> {
  const kept = await caches.match(request);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) await (await caches.open(SHELL)).put(request, answer.clone());
  return answer;
}

/** Returns the open windows of the messenger. Other pages of this site, such as the documents, are none. */
const windows = async (): Promise<readonly WindowClient[]> =>
  (await scope.clients.matchAll({ type: 'window', includeUncontrolled: true })).filter(
    ({ url }) => new URL(url).pathname === '/',
  );

/** Shows a notification about something new, unless the page is visible, because then the person sees it there. */
async function notify({ chat }: { chat?: string }): Promise<void> {
  if ((await windows()).some(({ visibilityState }) => visibilityState === 'visible')) return;
  const words = await (await caches.match(WORDS_PATH, { cacheName: WORDS }))?.json();
  const { title = 'Sealpost', body = '' } = (words ?? {}) as { title?: string; body?: string };
  await scope.registration.showNotification(title, {
    body,
    icon: '/icon.svg',
    ...(chat !== undefined && { tag: chat, data: { chat } }),
  });
}

/** Brings the page to the front or opens it, and shows the given chat. */
async function show(chat: string | undefined): Promise<void> {
  const [open] = await windows();
  if (!open) return void (await scope.clients.openWindow(chat === undefined ? '/' : `/#/chats/${chat}`));
  await open.focus();
  if (chat !== undefined) open.postMessage({ kind: 'open-chat', chat });
}
