import { audit } from './audit.ts';
import { calls } from './calls.ts';
import { common } from './common.ts';
import { contacts } from './contacts.ts';
import { credit } from './credit.ts';
import { enter } from './enter.ts';
import { extensions } from './extensions.ts';
import { home } from './home.ts';
import { integrations } from './integrations.ts';
import { notes } from './notes.ts';
import { people } from './people.ts';
import { phone } from './phone.ts';
import { problems } from './problems.ts';
import { requests } from './requests.ts';
import { settings } from './settings.ts';
import { shell } from './shell.ts';
import { team } from './team.ts';

/** Every text of the console, by feature. */
export const texts = {
  audit,
  calls,
  common,
  contacts,
  credit,
  enter,
  extensions,
  home,
  integrations,
  notes,
  people,
  phone,
  problems,
  requests,
  settings,
  shell,
  team,
};
