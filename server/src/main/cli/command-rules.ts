import type { OperatorRole } from '../../contexts/operators/index.ts';

/** Who may run a command, and how it is logged. */
export interface CommandRule {
  /**
   * `machine` commands administer the machine or the database, most of them as its owner, and need no named operator; `read`
   * needs a login and gets a connection that refuses writes; `change` also needs a reason and is written to the operator log.
   */
  kind: 'machine' | 'read' | 'change';
  roles: readonly OperatorRole[];
  /** Whether a `machine` command is written to the operator log, after it ran. */
  isLogged?: boolean;
  /** Whether a command that reads stores its result, so that its connections accept writes. */
  storesResult?: boolean;
  /** The option with which a command that reads changes something, and who may use it. */
  changesWith?: { option: string; roles: readonly OperatorRole[] };
  /**
   * Options and arguments that name a person, each with what the operator log has instead: nothing can be erased from the
   * log, so it must not have what ACCT-09 erases.
   */
  withholds?: Record<string, (value: string) => string>;
}

/** Returns whether a command line changes something, and who may run it. */
export function actOf(
  { kind, roles, changesWith }: CommandRule,
  options: Record<string, unknown>,
): { isChange: boolean; roles: readonly OperatorRole[] } {
  if (changesWith && options[changesWith.option]) return { isChange: true, roles: changesWith.roles };
  return { isChange: kind === 'change', roles };
}

const machine: CommandRule = { kind: 'machine', roles: [] };
const machineChange: CommandRule = { ...machine, isLogged: true };
const read: CommandRule = { kind: 'read', roles: ['support', 'finance', 'network', 'owner'] };
const changeBy = (...roles: OperatorRole[]): CommandRule => ({ kind: 'change', roles: [...roles, 'owner'] });

const withheld = (): string => 'withheld';

/** Returns the extension of a ban without the IP address of its phone. */
const extensionOfBan = (key: string): string =>
  key.includes('@') ? key.slice(key.indexOf('|') + 1) : withheld();

/** The rule of every operator command. A test compares the table with the commands. */
export const commandRules: Record<string, CommandRule> = {
  'account list': read,
  'account show': read,
  'account export': changeBy(),
  'account block': changeBy(),
  'account unblock': changeBy(),
  'account close': changeBy(),
  'account reset-factors': { ...changeBy(), withholds: { email: withheld } },
  'account approve': changeBy('finance'),
  'account go-live': changeBy('finance'),
  'account go-test': changeBy('finance'),
  'account review': { ...read, changesWith: { option: 'lift', roles: ['finance', 'owner'] } },
  'approvals list': read,
  // Deciding also needs a role for the requested command.
  'approvals approve': changeBy('finance', 'network'),
  'approvals reject': changeBy('finance', 'network'),
  backup: machine,
  'backup create': machineChange,
  'backup list': machine,
  'backup verify': machine,
  'ban list': read,
  'ban lift': { ...changeBy('network'), withholds: { key: extensionOfBan } },
  'budgets defaults': read,
  'budgets default': changeBy('network'),
  'budgets show': read,
  'budgets set': changeBy('network'),
  'budgets reset': changeBy('network'),
  'caller-id list': read,
  // The audit log of the account has the number, until it is erased.
  'caller-id assign': { ...changeBy('network'), withholds: { number: withheld } },
  'caller-id remove': { ...changeBy('network'), withholds: { number: withheld } },
  'caps show': read,
  'caps set': changeBy('finance'),
  'credit adjust': changeBy('finance'),
  doctor: machine,
  'keys status': read,
  'keys rotate': changeBy(),
  'keys new': machineChange,
  'keys unseal': changeBy(),
  'ledger audit': { ...read, storesResult: true },
  migrate: machineChange,
  'migrate status': machine,
  'node list': read,
  'node add': changeBy('network'),
  'node drain': changeBy('network'),
  'node undrain': changeBy('network'),
  'node remove': changeBy('network'),
  'operator login': machine,
  'operator logout': machine,
  'operator set-up': machine,
  'operator whoami': read,
  'operator-log list': read,
  'operator-log verify': read,
  'operators bootstrap': machine,
  'operators list': read,
  'operators add': changeBy(),
  'operators disable': changeBy(),
  'operators reset': changeBy(),
  'person erase': { ...changeBy(), withholds: { email: withheld, phone: withheld } },
  'rates import': changeBy('network'),
  'rates list': read,
  'rates show': read,
  restore: machineChange,
  'restore finish': machineChange,
  'trunk add': changeBy('network'),
  'trunk set': changeBy('network'),
  'trunk list': read,
  'trunk enable': changeBy('network'),
  'trunk disable': changeBy('network'),
  'trunk remove': changeBy('network'),
  'trunk test': { ...changeBy('network'), withholds: { number: withheld } },
};
