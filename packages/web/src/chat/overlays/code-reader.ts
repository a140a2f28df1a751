// Finds a QR code in a picture of the camera. If the browser cannot read codes itself, a library is loaded.

/** Returns the text of the code in a video's current picture; undefined if there is none. */
export type CodeReader = (video: HTMLVideoElement) => Promise<string | undefined>;

interface Detector {
  detect(source: HTMLVideoElement): Promise<readonly { readonly rawValue: string }[]>;
}

interface DetectorClass {
  new (options: { formats: string[] }): Detector;
  getSupportedFormats(): Promise<readonly string[]>;
}

export async function createCodeReader(): Promise<CodeReader> {
  return (await ofBrowser()) ?? ofLibrary();
}

async function ofBrowser(): Promise<CodeReader | undefined> {
  const Found: DetectorClass | undefined = Reflect.get(globalThis, 'BarcodeDetector');
  if (!Found || !(await Found.getSupportedFormats()).includes('qr_code')) return undefined;
  const detector = new Found({ formats: ['qr_code'] });
  return async (video) => (await detector.detect(video))[0]?.rawValue;
}

async function ofLibrary(): Promise<CodeReader> {
  const { default: decodeQR } = await import('qr/decode.js');
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d', { willReadFrequently: true });
  return async (video) => {
    const { videoWidth: width, videoHeight: height } = video;
    if (!context || width === 0) return undefined;
    canvas.width = width;
    canvas.height = height;
    context.drawImage(video, 0, 0);
    try {
      return decodeQR(context.getImageData(0, 0, width, height)) ?? undefined;
    } catch {
      // The decoder throws when there is no code in the picture.
      return undefined;
    }
  };
}
