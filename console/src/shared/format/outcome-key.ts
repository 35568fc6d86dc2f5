/** Returns the key of the text for the outcome of a delivery attempt. `gone` without a status means that it was not sent. */
export const outcomeKey = <Outcome extends string>({
  outcome,
  status,
}: {
  outcome: Outcome;
  status: number | null;
}): `calls.outcomes.${Outcome | 'unsent'}` =>
  `calls.outcomes.${outcome === 'gone' && status === null ? 'unsent' : outcome}`;
