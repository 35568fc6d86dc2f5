import { buildApp } from '../src/http/app.ts';
import { readConfig } from '../src/main/config.ts';
import { wireApi } from '../src/main/wire.ts';

/**
 * The API twice in one process: with the request log on HTTP_PORT, and without it on UNLOGGED_PORT. Two processes with
 * the same code differ by several percent, because the compiler optimises them differently.
 */
const config = readConfig(process.env);
const { app } = await wireApi(config);
const logged = await buildApp(app);
const unlogged = await buildApp({ ...app, requestLog: undefined });
await unlogged.listen({ host: config.HTTP_HOST, port: Number(process.env.UNLOGGED_PORT) });
await logged.listen({ host: config.HTTP_HOST, port: config.HTTP_PORT });
