// Writes files into a ZIP archive, one after another, in Node and in browsers. Nothing is compressed, because media
// already are. No file is in memory as a whole.
import { makeZip } from 'client-zip';
import type { ExportEntry } from './export-deps.ts';

/** Yields the bytes of a ZIP archive with these files. Archives of any size are possible. */
export async function* zipOf(
  entries: AsyncIterable<ExportEntry>,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  const files = inputsOf(entries);
  const reader = makeZip(files).getReader();
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      yield Uint8Array.from(value);
    }
  } finally {
    // If the caller stopped early, the source of the entries ends too.
    await files.return();
  }
}

async function* inputsOf(entries: AsyncIterable<ExportEntry>) {
  for await (const { path, content } of entries) yield { name: path, input: content };
}
