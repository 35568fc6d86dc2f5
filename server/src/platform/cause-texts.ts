/** End reasons in Portuguese, for the console and for exported files. */
export const causesInPortuguese = {
  UNALLOCATED_NUMBER: 'Número não existe',
  NO_ROUTE_DESTINATION: 'Sem rota para o destino',
  NORMAL_CLEARING: 'Encerramento normal',
  USER_BUSY: 'Ocupado',
  NO_USER_RESPONSE: 'Sem resposta do aparelho',
  NO_ANSWER: 'Não atendida',
  SUBSCRIBER_ABSENT: 'Indisponível ou fora da área de cobertura',
  CALL_REJECTED: 'Rejeitada',
  NUMBER_CHANGED: 'Número mudou',
  DESTINATION_OUT_OF_ORDER: 'Destino fora de serviço',
  INVALID_NUMBER_FORMAT: 'Número inválido',
  NORMAL_UNSPECIFIED: 'Sem motivo informado',
  NORMAL_CIRCUIT_CONGESTION: 'Rede congestionada',
  NETWORK_OUT_OF_ORDER: 'Rede fora de serviço',
  NORMAL_TEMPORARY_FAILURE: 'Falha temporária',
  SWITCH_CONGESTION: 'Central congestionada',
  INCOMING_CALL_BARRED: 'Não perturbe',
  INCOMPATIBLE_DESTINATION: 'Destino incompatível',
  RECOVERY_ON_TIMER_EXPIRE: 'Tempo esgotado na rede',
  ORIGINATOR_CANCEL: 'Cancelada antes do atendimento',
  LOSE_RACE: 'Atendida em outro aparelho',
  ALLOTTED_TIMEOUT: 'Limite de saldo ou tempo atingido',
};

const byName: Record<string, string> = causesInPortuguese;

/** Returns the text of an end reason; of an unknown one its name. */
export const causeInPortuguese = (cause: string): string => byName[cause] ?? cause;
