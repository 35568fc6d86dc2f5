export const extensions = {
  title: 'Ramais',
};
