import { contactFields, customerFrom, type Fields, invalid, paymentFrom, Refused } from './fields.ts';
import { type FakeCustomer, type FakeEvent, type FakePayment, newId, timeOf } from './payment.ts';

/** Holds the state of the gateway: customers, payments and undelivered events. */
export function createBook(now: () => Date, pageUrl: () => string) {
  const customers = new Map<string, FakeCustomer>();
  const payments = new Map<string, FakePayment>();
  const events: FakeEvent[] = [];

  function payment(id: string): FakePayment {
    const stored = payments.get(id);
    if (!stored) throw new Refused(404, 'not_found', 'Cobrança não encontrada.');
    return stored;
  }

  function emit(event: string, about: FakePayment) {
    events.push({ id: newId('evt'), event, dateCreated: timeOf(now()), payment: structuredClone(about) });
  }

  return {
    customers,
    payments,
    events,
    payment,
    emit,

    createCustomer(fields: Fields): FakeCustomer {
      const customer = customerFrom(fields, now());
      customers.set(customer.id, customer);
      return customer;
    },

    updateCustomer(id: string, fields: Fields): FakeCustomer {
      const customer = customers.get(id);
      if (!customer) throw new Refused(404, 'not_found', 'Cliente não encontrado.');
      const { name = customer.name, cpfCnpj = customer.cpfCnpj } = fields;
      Object.assign(customer, { name, cpfCnpj });
      for (const contact of contactFields) if (contact in fields) customer[contact] = fields[contact];
      return customer;
    },

    createPayment(fields: Fields): FakePayment {
      const made = paymentFrom(fields, now(), pageUrl(), payments.size + 1);
      if (!customers.has(made.customer)) throw invalid('customer', 'Cliente inválido ou não informado.');
      payments.set(made.id, made);
      emit('PAYMENT_CREATED', made);
      return made;
    },

    deletePayment(id: string) {
      const stored = payment(id);
      if (stored.deleted || !['PENDING', 'OVERDUE'].includes(stored.status)) {
        throw new Refused(400, 'invalid_action', 'A cobrança não pode ser removida.');
      }
      stored.deleted = true;
      emit('PAYMENT_DELETED', stored);
      return { deleted: true, id };
    },
  };
}

export type Book = ReturnType<typeof createBook>;
