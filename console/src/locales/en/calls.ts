export const calls = {
  title: 'Calls',
};
