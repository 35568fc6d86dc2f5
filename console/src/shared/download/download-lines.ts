interface FilePicker {
  showSaveFilePicker?(options: object): Promise<{ createWritable(): Promise<WritableStream<Uint8Array>> }>;
}

/**
 * Streams a file to the location that the user picks. Browsers without a file picker buffer it as a blob and download
 * it when it is complete.
 */
export async function downloadLines(
  name: string,
  open: () => Promise<ReadableStream<Uint8Array>>,
  onLines: (count: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const chosen = await (window as FilePicker).showSaveFilePicker?.({ suggestedName: name });
  onLines(0);
  const body = (await open()).pipeThrough(countLines(onLines));
  if (chosen) return await body.pipeTo(await chosen.createWritable(), { signal });
  downloadBlob(await new Response(body, { headers: { 'Content-Type': 'text/csv' } }).blob(), name);
}

const newLine = 10;
const progressIntervalMs = 200;

function countLines(onLines: (count: number) => void): TransformStream<Uint8Array, Uint8Array> {
  let count = 0;
  let reportedMs = 0;
  return new TransformStream({
    transform(chunk, controller) {
      for (const byte of chunk) if (byte === newLine) count += 1;
      if (Date.now() - reportedMs > progressIntervalMs) {
        reportedMs = Date.now();
        onLines(count);
      }
      controller.enqueue(chunk);
    },
  });
}

const revokeAfterMs = 60_000;

function downloadBlob(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), revokeAfterMs);
}
