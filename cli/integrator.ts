#!/usr/bin/env node
import { integratorProgram } from './program.ts';
import { run } from './run.ts';

/** The package for those who have no service of their own. */
await run(integratorProgram());
