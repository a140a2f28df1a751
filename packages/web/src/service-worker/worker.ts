// The service worker: the page opens without a connection, and notifications come while it is closed.

/** The addresses of the page and of its files. The build fills them in. */
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
/** Words for notifications in the language of the page, which the page puts there. */
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

/** Removes what earlier builds kept, except the one before: a tab may still need parts of it. */
async function removeOldShells(): Promise<void> {
  const shells = (await caches.keys()).filter((name) => name.startsWith('sealpost-shell-') && name !== SHELL);
  await Promise.all(shells.slice(0, -1).map((name) => caches.delete(name)));
}

/** Returns the page from the server; the kept one if the server does not answer soon. */
async function page(request: Request): Promise<Response> {
  const kept = caches.match('/');
  const asked = fetch(request);
  // If nobody takes this answer, its failure must not be reported.
  asked.catch(() => undefined);
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, PATIENCE_MS));
  const answer = await Promise.race([asked, late]).catch(() => undefined);
  return answer ?? (await kept) ?? asked;
}

/** Returns a file that never changes: from what is kept, else from the server, and keeps it. */
async function asset(request: Request): Promise<Response> {
  const kept = await caches.match(request);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) await (await caches.open(SHELL)).put(request, answer.clone());
  return answer;
}

const windows = (): Promise<readonly WindowClient[]> =>
  scope.clients.matchAll({ type: 'window', includeUncontrolled: true });

/** Tells that there is something new, unless the page is in front: then the person sees it anyway. */
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

/** Brings the page to the front, with the chat open. */
async function show(chat: string | undefined): Promise<void> {
  const [open] = await windows();
  if (!open) return void (await scope.clients.openWindow(chat === undefined ? '/' : `/#/chats/${chat}`));
  await open.focus();
  if (chat !== undefined) open.postMessage({ kind: 'open-chat', chat });
}
