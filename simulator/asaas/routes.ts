import { createHash } from 'node:crypto';
import type { Book } from './book.ts';
import { type Fields, Refused } from './fields.ts';
import { daysAfter, type FakePayment, timeOf } from './payment.ts';
import { onePixelPng, pixCode } from './pix.ts';

/** Handles one request like the real API, or throws its error. */
export function answerRequest(
  book: Book,
  now: () => Date,
  method: string,
  url: URL,
  fields: Fields,
): unknown {
  const [, collection, id, part] = url.pathname.replace(/^\/v3/, '').split('/');
  const route = [method, collection, id && ':id', part].filter(Boolean).join(' ');
  switch (route) {
    case 'GET customers':
      return page(url, [...book.customers.values()]);
    case 'POST customers':
      return book.createCustomer(fields);
    case 'PUT customers :id':
      return book.updateCustomer(id ?? '', fields);
    case 'GET payments':
      return page(url, [...book.payments.values()]);
    case 'POST payments':
      return book.createPayment(fields);
    case 'GET payments :id':
      return book.payment(id ?? '');
    case 'DELETE payments :id':
      return book.deletePayment(id ?? '');
    case 'GET payments :id pixQrCode':
      return pixOf(book.payment(id ?? ''), now());
    case 'GET payments :id identificationField':
      return bankSlipOf(book.payment(id ?? ''));
    default:
      throw new Refused(404, 'not_found', 'Recurso não encontrado.');
  }
}

/** Lists omit deleted items, which can still be read by id. */
function page<Item extends { externalReference: string | null; deleted: boolean }>(url: URL, all: Item[]) {
  const reference = url.searchParams.get('externalReference');
  const limit = Math.min(Number(url.searchParams.get('limit') ?? 10), 100);
  const offset = Number(url.searchParams.get('offset') ?? 0);
  const matching = all.filter(
    (item) => !item.deleted && (reference === null || item.externalReference === reference),
  );
  const data = matching.slice(offset, offset + limit);
  return {
    object: 'list',
    hasMore: offset + limit < matching.length,
    totalCount: matching.length,
    limit,
    offset,
    data,
  };
}

function pixOf(payment: FakePayment, now: Date) {
  if (!['PIX', 'UNDEFINED', 'BOLETO'].includes(payment.billingType) || payment.deleted) {
    throw new Refused(400, 'invalid_action', 'Esta cobrança não pode ser paga com Pix.');
  }
  return {
    success: true,
    encodedImage: onePixelPng,
    payload: pixCode(payment.id, payment.value),
    expirationDate: timeOf(daysAfter(now, 365)),
  };
}

function bankSlipOf(payment: FakePayment) {
  if (!['BOLETO', 'UNDEFINED'].includes(payment.billingType) || payment.deleted) {
    throw new Refused(400, 'invalid_action', 'Somente cobranças de boleto possuem linha digitável.');
  }
  const digits = BigInt(`0x${createHash('sha256').update(payment.id).digest('hex')}`)
    .toString()
    .slice(0, 44);
  return { identificationField: `461${digits}`, nossoNumero: digits.slice(0, 8), barCode: digits };
}
