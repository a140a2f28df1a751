// Saves content as a file on the device. The browser does not open the file, whatever it contains.

const SOON_MS = 10_000;

export function saveFile(blob: Blob, name: string): void {
  // With this neutral type, a browser saves the file and never shows it.
  const url = URL.createObjectURL(new Blob([blob], { type: 'application/octet-stream' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), SOON_MS);
}
