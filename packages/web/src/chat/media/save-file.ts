// Saves something as a file on the device. It is never opened, whatever it is.

const SOON_MS = 10_000;

export function saveFile(blob: Blob, name: string): void {
  // Without a type of its own, no browser shows it instead of saving it.
  const url = URL.createObjectURL(new Blob([blob], { type: 'application/octet-stream' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), SOON_MS);
}
