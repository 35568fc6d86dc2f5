export const operatorRoles = ['support', 'finance', 'network', 'owner'] as const;
export type OperatorRole = (typeof operatorRoles)[number];

/** A named person who operates the service. */
export interface NamedOperator {
  id: number;
  name: string;
  role: OperatorRole;
}

export interface OperatorSummary extends NamedOperator {
  email: string;
  /** Whether the operator has chosen a password and added an app. */
  isSetUp: boolean;
  disabledAt: Date | null;
  createdAt: Date;
}
