import type { Alert } from './alert.ts';

const requests = (status: string, route = '/api/v1/calls'): string =>
  `disca_http_request_seconds_count{process="api",method="GET",route="${route}",status="${status}"}`;
const answeredWithin = (seconds: string): string =>
  `disca_http_request_seconds_bucket{process="api",method="GET",route="/api/v1/calls",status="200",le="${seconds}"}`;

/** The processes, and the services they depend on. */
export const processAlerts: Alert[] = [
  {
    name: 'DiscaProcessDown',
    severity: 'critical',
    when: 'up{job="disca"} == 0',
    lasting: '1m',
    summary: 'A process does not respond on its private port.',
    action: 'Check that it runs and read the end of its log; run disca doctor.',
    fires: {
      series: { 'up{job="disca",instance="a:9400"}': '0x10' },
      at: '5m',
      labels: { job: 'disca', instance: 'a:9400' },
    },
    silent: { series: { 'up{job="disca",instance="a:9400"}': '1 1 0 1x10' }, at: '5m' },
  },
  {
    name: 'DiscaStateUnknown',
    severity: 'critical',
    when: 'absent(disca_event_oldest_seconds)',
    lasting: '2m',
    summary: 'No worker reports the age of events and queues.',
    action:
      'Check that a worker runs and reaches PostgreSQL; disca_state_read_failures_total counts failed reads.',
    fires: { series: { 'up{job="disca"}': '1x10' }, at: '5m' },
    silent: { series: { 'disca_event_oldest_seconds{process="worker"}': '0x10' }, at: '5m' },
  },
  {
    name: 'DiscaApiErrors',
    severity: 'critical',
    when: 'sum(rate(disca_http_request_seconds_count{status=~"5.."}[5m])) / sum(rate(disca_http_request_seconds_count[5m])) > 0.01',
    lasting: '5m',
    summary: 'More than 1 % of requests fail with 5xx.',
    action:
      'Search the log of the api for level error; 503 means that PostgreSQL is unavailable or the pool is exhausted.',
    fires: { series: { [requests('200')]: '0+60x30', [requests('503')]: '0+6x30' }, at: '15m' },
    silent: { series: { [requests('200')]: '0+600x30', [requests('503')]: '0+1x30' }, at: '15m' },
  },
  {
    name: 'DiscaApiSlow',
    severity: 'warning',
    when: 'histogram_quantile(0.99, sum by (le) (rate(disca_http_request_seconds_bucket{route!~".*/events/stream"}[5m]))) > 1',
    lasting: '10m',
    summary: '1 % of requests take longer than a second.',
    action:
      'Check the pool (disca_database_waiting), the event loop and the slowest routes on the dashboard.',
    fires: {
      series: {
        [answeredWithin('1')]: '0+50x30',
        [answeredWithin('5')]: '0+60x30',
        [answeredWithin('+Inf')]: '0+60x30',
      },
      at: '20m',
    },
    silent: {
      series: {
        [answeredWithin('1')]: '0+60x30',
        [answeredWithin('5')]: '0+60x30',
        [answeredWithin('+Inf')]: '0+60x30',
      },
      at: '20m',
    },
  },
  {
    name: 'DiscaLoginsGuessed',
    severity: 'warning',
    when: 'sum(rate(disca_http_request_seconds_count{route=~".*/(users/login|console/session)",status=~"401|429"}[15m])) > 1',
    lasting: '10m',
    summary: 'More than one login per second fails: someone may be guessing passwords.',
    action:
      'Guesses are rate limited automatically. Find the addresses in the log of the api and block them upstream.',
    fires: { series: { [requests('401', '/api/v1/users/login')]: '0+120x40' }, at: '30m' },
    silent: {
      series: {
        [requests('401', '/api/v1/users/login')]: '0+5x40',
        [requests('200', '/api/v1/users/login')]: '0+120x40',
      },
      at: '30m',
    },
  },
  {
    name: 'DiscaDatabasePoolExhausted',
    severity: 'warning',
    when: 'max by (process, instance) (disca_database_waiting) > 0',
    lasting: '2m',
    summary: 'Requests wait for a PostgreSQL connection.',
    action:
      'Look for slow statements in PostgreSQL; raise DATABASE_POOL_SIZE only if the server allows more connections.',
    fires: {
      series: { 'disca_database_waiting{process="api",instance="a:9400"}': '3x10' },
      at: '5m',
      labels: { process: 'api', instance: 'a:9400' },
    },
    silent: {
      series: { 'disca_database_waiting{process="api",instance="a:9400"}': '0 0 0 5 0x10' },
      at: '5m',
    },
  },
  {
    name: 'DiscaEventLoopBlocked',
    severity: 'warning',
    when: 'max by (process, instance) (nodejs_eventloop_lag_p99_seconds) > 0.25',
    lasting: '5m',
    summary: 'The event loop of a process is overloaded.',
    action: 'Check its CPU usage; start another instance, or profile it with --cpu-prof.',
    fires: {
      series: { 'nodejs_eventloop_lag_p99_seconds{process="voice",instance="v:9400"}': '0.4x20' },
      at: '10m',
      labels: { process: 'voice', instance: 'v:9400' },
    },
    silent: {
      series: { 'nodejs_eventloop_lag_p99_seconds{process="voice",instance="v:9400"}': '0.02x20' },
      at: '10m',
    },
  },
  {
    name: 'DiscaRedisAway',
    severity: 'warning',
    when: 'min by (process, instance) (disca_redis_connected) == 0',
    lasting: '1m',
    summary: 'A process is not connected to Redis.',
    action: 'Requests and calls continue; limits are counted per process. Restore Redis.',
    fires: {
      series: { 'disca_redis_connected{process="api",instance="a:9400"}': '0x10' },
      at: '5m',
      labels: { process: 'api', instance: 'a:9400' },
    },
    silent: { series: { 'disca_redis_connected{process="api",instance="a:9400"}': '1x10' }, at: '5m' },
  },
  {
    name: 'DiscaLimiterFallsBack',
    severity: 'warning',
    when: 'sum(rate(disca_limiter_fallbacks_total[5m])) > 0.1',
    lasting: '5m',
    summary: 'Requests are counted per process because Redis does not respond in time.',
    action: 'Check the load and latency of Redis. Until it recovers, each limit applies per api process.',
    fires: { series: { 'disca_limiter_fallbacks_total{process="api"}': '0+30x30' }, at: '15m' },
    silent: { series: { 'disca_limiter_fallbacks_total{process="api"}': '0 0 0 3x30' }, at: '15m' },
  },
];
