export const credit = {
  title: 'Crédito',
};
