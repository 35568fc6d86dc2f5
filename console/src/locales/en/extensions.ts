export const extensions = {
  title: 'Extensions',
};
