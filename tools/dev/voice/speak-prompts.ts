import { UserError } from '../user-error.ts';
import { speakPrompts } from './prompts.ts';

// Generates the sound files of a media node in a given folder: for images, and for nodes without containers.
const [folder] = process.argv.slice(2);
if (!folder) throw new UserError('Usage: node tools/dev/voice/speak-prompts.ts FOLDER');
await speakPrompts(folder);
