export const calls = {
  title: 'Chamadas',
};
