export const home = {
  title: 'Início',
};
