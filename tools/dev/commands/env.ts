import { apiUrl, mailUrl } from '../environment.ts';
import { findRunning } from '../process-records.ts';

export async function env(): Promise<number> {
  console.log(`export DISCA_URL=${apiUrl()}/api/v1`);
  console.log(`export MAIL_URL=${mailUrl()}`);
  if (!findRunning('api')) console.error('The api is not running. Run ./dev up.');
  return 0;
}
