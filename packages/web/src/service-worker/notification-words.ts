// Stores the texts of notifications in the language of the page. The service worker reads them from a cache, because
// the page may be closed when a notification arrives.

export interface NotificationWords {
  readonly title: string;
  readonly body: string;
}

export async function keepNotificationWords(words: NotificationWords): Promise<void> {
  const cache = await caches.open('sealpost-words');
  await cache.put('/notification-words', new Response(JSON.stringify(words)));
}
