import { createProvidedValue, useProvide, useProvided } from '../provided-value.ts';

type Dial = (number: string) => void;

const dialing = createProvidedValue<Dial>();

/** Registers the phone's dial function while the component is mounted. */
export const useProvideDialing = (dial: Dial | undefined): void => useProvide(dialing, dial);

/** Returns the dial function, or undefined when no phone is available. */
export const useDial = (): Dial | undefined => useProvided(dialing);
