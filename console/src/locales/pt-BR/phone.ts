export const phone = {
  title: 'Telefone',
};
