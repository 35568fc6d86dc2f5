const maxRowsPerBatch = 500;
/** Requests are limited to 64 kB; the rest is for the JSON around the rows. */
const maxBytesPerBatch = 60_000;

/** Splits rows into batches that fit into one request; `toBody` returns what is sent of a row. */
export function toBatches<Row>(rows: Row[], toBody: (row: Row) => object): Row[][] {
  const batches: Row[][] = [];
  let batch: Row[] = [];
  let bytes = 0;
  for (const row of rows) {
    const size = new TextEncoder().encode(JSON.stringify(toBody(row))).length + 1;
    if (batch.length > 0 && (batch.length === maxRowsPerBatch || bytes + size > maxBytesPerBatch)) {
      batches.push(batch);
      [batch, bytes] = [[], 0];
    }
    batch.push(row);
    bytes += size;
  }
  return batch.length > 0 ? [...batches, batch] : batches;
}
