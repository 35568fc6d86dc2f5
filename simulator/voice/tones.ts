/** Tones that simulated parties play unless a test chooses others, in hertz. */
export const defaultTones = { phone: '440', carrier: '1000' };

/** Start of a party's own tones: a missing part of it was clipped. The dialplan uses the same for numbers ending in 93. */
export const firstWord = { hertz: 3_300, ms: 200 };

/** Returns the first word and then a steady tone, as Playtones takes them. */
export const speech = (hertz: number): string => `!${firstWord.hertz}/${firstWord.ms},${hertz}`;

/** Ending of numbers whose carrier plays the tone given by the four digits before it. */
export const speechEnding = (hertz: number): string => `${String(hertz).padStart(4, '0')}93`;
