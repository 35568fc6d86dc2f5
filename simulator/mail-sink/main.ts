import { startMailSink } from './index.ts';

const sink = await startMailSink({
  dir: required('MAIL_SINK_DIR'),
  smtpPort: Number(required('MAIL_SINK_SMTP_PORT')),
  httpPort: Number(required('MAIL_SINK_HTTP_PORT')),
  ...(process.env.MAIL_SINK_HOST ? { host: process.env.MAIL_SINK_HOST } : {}),
}).catch(fail);
console.log(`Mail sink accepts mail at ${sink.smtpUrl} and shows it at ${sink.httpUrl}`);

process.once('SIGTERM', stop);
process.once('SIGINT', stop);

function stop() {
  sink.stop().catch(fail);
}

function required(name: string) {
  const value = process.env[name];
  return value || fail(new Error(`${name} is not set.`));
}

function fail(error: Error): never {
  console.error(`Mail sink: ${error.message}`);
  process.exit(1);
}
