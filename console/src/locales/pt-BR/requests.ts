export const requests = {
  lead: 'Suas requisições dos últimos 7 dias que foram recusadas, tiveram campos ignorados ou alteraram dados. Os dados enviados não são guardados.',
  leadAdmin:
    'Requisições de todas as pessoas nos últimos 7 dias que foram recusadas, tiveram campos ignorados ou alteraram dados. Os dados enviados não são guardados.',
  refresh: 'Atualizar',
  show: 'Mostrar',
  all: 'Todas',
  selections: { errors: 'Somente erros', writes: 'Escritas', ignored: 'Campos ignorados' },
  id: 'ID da requisição',
  find: 'Buscar',
  outcomes: {
    succeeded: '{{status}} Concluída',
    refused: '{{status}} Recusada',
    failed: '{{status}} Erro do serviço',
  },
  noRoute: 'Rota desconhecida',
  duration: '{{ms}} ms',
  invalid: 'Campos inválidos:',
  ignored: 'Campos ignorados:',
  copyId: 'Copiar ID da requisição',
  token: 'Token: {{name}}',
  unnamedToken: 'sem nome',
  unlisted_one:
    'Mais {{requests}} requisição não está na lista: só as primeiras 100.000 de cada dia são guardadas.',
  unlisted_many:
    'Mais {{requests}} de requisições não estão na lista: só as primeiras 100.000 de cada dia são guardadas.',
  unlisted_other:
    'Mais {{requests}} requisições não estão na lista: só as primeiras 100.000 de cada dia são guardadas.',
  empty: 'Nenhuma requisição ainda. Requisições recusadas e de escrita à API aparecem aqui em segundos.',
  noMatch: 'Nenhuma requisição corresponde aos filtros.',
  more: 'Mostrar mais',
  tooLong: 'Use os filtros ou a API para encontrar requisições mais antigas.',
};
