import { z } from 'zod';
import { roles } from '../../platform/caller.ts';

export const roleText = z
  .enum(roles)
  .meta({ description: 'An ADMIN manages the account; a USER works in it.', examples: ['USER'] });
