export const settings = {
  title: 'Configurações',
};
