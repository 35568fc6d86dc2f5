import { createHash } from 'node:crypto';
import Fastify from 'fastify';
import { Redis } from 'ioredis';
import pg from 'pg';
import { RateLimiterRedis } from 'rate-limiter-flexible';

/** A minimal GET /users/me, which looks up the token, counts the request in Redis and sends JSON. */
const { DATABASE_URL, REDIS_URL = '', HTTP_PORT } = process.env;
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 20 });
const limiter = new RateLimiterRedis({
  storeClient: new Redis(REDIS_URL),
  keyPrefix: 'bare',
  points: 60_000_000,
  duration: 60,
});

const app = Fastify();
app.get('/api/v1/users/me', async (request, reply) => {
  await limiter.consume(request.ip);
  const hash = createHash('sha256')
    .update(request.headers.authorization ?? '')
    .digest();
  const { rows } = await pool.query({
    name: 'find_caller',
    text: 'select * from find_caller($1, $2)',
    values: [hash, new Date()],
  });
  const [user] = rows;
  if (!user) return reply.code(401).send({});
  return {
    uuid: user.uuid,
    name: user.name,
    email: user.email,
    phone: user.phone,
    role: user.role,
    emailVerified: user.email_verified,
    createdAt: user.created_at.toISOString(),
    updatedAt: user.updated_at.toISOString(),
    lastLoginAt: user.last_login_at?.toISOString() ?? null,
  };
});
await app.listen({ host: '127.0.0.1', port: Number(HTTP_PORT) });
