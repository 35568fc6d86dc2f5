import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, type CheckedRequest, sendRequest } from './send-request.ts';

export interface Load {
  answers: Answer[];
  /** Waits for `count` more responses. Progress is counted instead of time, because a busy machine is slow. */
  waitForResponses(count: number): Promise<void>;
  /** Waits until every request that has been sent by now has a response. */
  waitForCurrent(): Promise<void>;
  /** Stops the load, waits for the last responses and returns their faults. */
  stop(): Promise<string[]>;
}

const workers = 6;
const pauseMs = 4;
const maxAnswers = 30_000;
/** Shorter than a test's timeout, so that the error message names the load. */
const longestMs = 500_000;

/** Sends the same requests to every node in rotation until stopped. */
export function startLoad(urls: string[], questions: (() => CheckedRequest)[]): Load {
  const answers: Answer[] = [];
  const faults: string[] = [];
  const pending = new Set<Promise<Answer>>();
  const deadline = Date.now() + longestMs;
  let stopped = false;

  async function work(worker: number): Promise<void> {
    for (
      let request = worker;
      !stopped && answers.length < maxAnswers && Date.now() < deadline;
      request += 1
    ) {
      const question = questions[request % questions.length];
      const url = urls[(request + worker) % urls.length];
      if (!question || !url) throw new Error('No URL or no request.');
      const asked = question();
      const sent = sendRequest(url, asked);
      pending.add(sent);
      const answer = await sent;
      pending.delete(sent);
      answers.push(answer);
      const problem = asked.check(answer);
      const fault = answer.fault ?? problem;
      if (fault) faults.push(`${asked.method} ${asked.path}: ${fault}`);
      await sleep(pauseMs);
    }
  }

  const working = Promise.all(Array.from({ length: workers }, (_, worker) => work(worker)));
  return {
    answers,
    async waitForResponses(count) {
      const target = answers.length + count;
      while (answers.length < target) {
        if (Date.now() > deadline) throw new Error(`The load ended before ${target} responses.`);
        await sleep(20);
      }
    },
    async waitForCurrent() {
      await Promise.all(pending);
    },
    async stop() {
      stopped = true;
      await working;
      return faults;
    },
  };
}

export const countStatus = (answers: Answer[], status: number): number =>
  answers.filter((answer) => answer.status === status).length;

export const slowestMs = (answers: Answer[]): number => Math.max(...answers.map((answer) => answer.tookMs));
