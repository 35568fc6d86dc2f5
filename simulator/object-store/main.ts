import { readFileSync } from 'node:fs';
import { startObjectStore } from './index.ts';

// Runs the object store as a process of its own, which can be killed and started again on the same folder.
const { OBJECT_STORE_CERTIFICATE: certificate, OBJECT_STORE_KEY: key } = process.env;
const store = await startObjectStore({
  bucket: required('OBJECT_STORE_BUCKET'),
  accessKeyId: required('OBJECT_STORE_ACCESS_KEY_ID'),
  secretAccessKey: required('OBJECT_STORE_SECRET_ACCESS_KEY'),
  dir: required('OBJECT_STORE_DIR'),
  host: required('OBJECT_STORE_HOST'),
  port: Number(required('OBJECT_STORE_PORT')),
  ...(certificate && key ? { tls: { cert: readFileSync(certificate), key: readFileSync(key) } } : {}),
}).catch(fail);
console.log(`The object store listens at ${store.endpoint}`);

for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, () => void store.stop().catch(fail));

function required(name: string): string {
  return process.env[name] || fail(new Error(`${name} is not set.`));
}

function fail(error: Error): never {
  console.error(`Object store: ${error.message}`);
  process.exit(1);
}
