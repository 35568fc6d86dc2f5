export const integrations = {
  title: 'Integrações',
};
