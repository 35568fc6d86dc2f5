export const team = {
  own: 'Sua disponibilidade',
  hint: 'Se você não estiver disponível, chamadas externas e de colegas não tocam. Você sempre pode ligar.',
  otherReason: 'Ausente com motivo…',
  reason: 'Motivo',
  reasonHint: 'Visível para supervisores, no máximo 60 caracteres.',
  failed: 'Sua disponibilidade não foi alterada',
  wall: 'Painel para TV',
  since: 'desde {{at}}',
  states: {
    available: 'Disponível',
    in_call: 'Em chamada',
    away: 'Ausente',
    do_not_disturb: 'Não perturbe',
    offline: 'Sem telefone',
  },
  directions: {
    inbound: 'Recebida de {{number}}',
    outbound: 'Para {{number}}',
    internal: 'Interna com {{number}}',
  },
  columns: { name: 'Pessoa', state: 'Status', detail: 'Chamada ou motivo', since: 'Tempo' },
};
