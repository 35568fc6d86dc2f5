import { z } from 'zod';

export interface Field {
  /** The schema without what only makes it optional, nullable or converted. */
  type: unknown;
  isOptional: boolean;
  isNullable: boolean;
}

/** Reads what a schema expects in the request. */
export function readField(schema: unknown): Field {
  const field: Field = { type: schema, isOptional: false, isNullable: false };
  for (;;) {
    const { type } = field;
    if (type instanceof z.ZodPipe) field.type = type.in;
    else if (type instanceof z.ZodNullable) {
      field.type = type.unwrap();
      field.isNullable = true;
    } else if (
      type instanceof z.ZodOptional ||
      type instanceof z.ZodDefault ||
      type instanceof z.ZodPrefault
    ) {
      field.type = type.unwrap();
      field.isOptional = true;
    } else return field;
  }
}

/** Whether an object schema refuses fields that it does not declare. */
export const isStrict = ({ def }: z.ZodObject): boolean => def.catchall instanceof z.ZodNever;
