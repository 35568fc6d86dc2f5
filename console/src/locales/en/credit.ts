export const credit = {
  title: 'Credit',
};
