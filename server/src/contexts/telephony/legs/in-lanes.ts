/** Few, because requests that dial wait behind them. */
const maxConcurrent = 10;

/** Does the work for each item, for several at the same time. A failure does not keep the others from being tried. */
export async function inLanes<Item>(items: Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const lane = async (): Promise<void> => {
    for (let next = items.pop(); next !== undefined; next = items.pop()) await work(next);
  };
  const lanes = await Promise.allSettled(Array.from({ length: maxConcurrent }, lane));
  const failed = lanes.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined;
  if (failed) throw failed.reason;
}
