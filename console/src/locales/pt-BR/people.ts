export const people = {
  title: 'Pessoas',
};
