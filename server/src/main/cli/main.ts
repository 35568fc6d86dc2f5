import { runOperatorCommand } from './program.ts';

await runOperatorCommand(process.argv.slice(2));
