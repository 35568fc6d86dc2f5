import { DevFault } from '../fault.ts';
import { speakPrompts } from './prompts.ts';

// Makes the sound files of a media node in a folder of one's choice: for images, and for nodes without containers.
const [folder] = process.argv.slice(2);
if (!folder) throw new DevFault('Say: node tools/dev/voice/speak-prompts.ts FOLDER');
await speakPrompts(folder);
