#!/usr/bin/env node
import { integratorProgram } from './program.ts';
import { run } from './run.ts';

/** Entry point of the npm package, for integrators without their own service. */
await run(integratorProgram());
