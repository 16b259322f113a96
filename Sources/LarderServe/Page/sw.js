// Keeps the page itself, so that it opens without reception. Talks of the household never pass through here.

const FILES = ['./', 'look.css', 'manifest.webmanifest', 'icon.svg', ...['all-texts', 'amounts', 'app', 'apply', 'away', 'back', 'de', 'de-screens', 'dom', 'due', 'edit', 'en', 'en-screens', 'entry', 'fields', 'first', 'format', 'item', 'list', 'more', 'offers', 'pair', 'parts', 'pick', 'queue', 'receipts', 'said', 'save', 'scan', 'send', 'settings', 'sheet', 'state', 'stay', 'stock', 'store', 'taps', 'texts', 'words'].map((name) => `${name}.js`)];

/** All files or none: a page of two versions would be neither. */
async function fill() {
  const answers = await Promise.all(FILES.map((file) => fetch(file, { cache: 'no-cache' })));
  if (!answers.every(({ ok }) => ok)) throw new Error('the page is not complete');
  const name = `page-${Date.now()}`;
  const cache = await caches.open(name);
  await Promise.all(FILES.map((file, index) => cache.put(file, answers[index])));
  // Until here the older one, which is whole, answered.
  await Promise.all((await caches.keys()).map((other) => other !== name && caches.delete(other)));
}
const later = () => new Promise((resolve) => setTimeout(resolve, 5000));

self.addEventListener('install', (event) => event.waitUntil(fill().then(() => self.skipWaiting())));
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('fetch', (event) => {
  const { pathname } = new URL(event.request.url);
  if (event.request.method !== 'GET' || pathname.includes('/api/')) return;
  event.respondWith(caches.match(event.request, { ignoreSearch: true }).then((kept) => kept || fetch(event.request)));
  // When the page that opens has all its files, the newest are fetched for the next time. Without a network they are not.
  if (event.request.mode === 'navigate') event.waitUntil(later().then(fill).catch(() => {}));
});
