import type { WireRequest } from './request-plan.ts';

interface Fault {
  operation: string;
  request: WireRequest;
  problem: string;
}

export interface FuzzReport {
  requests: number;
  accounts: number;
  /** Number of responses by operation and status. */
  statuses: Map<string, Map<number, number>>;
  faults: Fault[];
  /** Heap in use after each round, after garbage collection. */
  heldMegabytes: number[];
  count(operation: string, status: number): void;
  fault(operation: string, request: WireRequest, problem: string): void;
}

export function createReport(operations: string[]): FuzzReport {
  const report: FuzzReport = {
    requests: 0,
    accounts: 0,
    statuses: new Map(operations.map((name) => [name, new Map<number, number>()])),
    faults: [],
    heldMegabytes: [],
    count(operation, status) {
      report.requests += 1;
      const counts = report.statuses.get(operation);
      counts?.set(status, (counts.get(status) ?? 0) + 1);
    },
    fault(operation, request, problem) {
      report.faults.push({ operation, request, problem: problem.slice(0, 2_000) });
    },
  };
  return report;
}

const sum = (numbers: number[]): number => numbers.reduce((total, each) => total + each, 0);

/** Returns the share of requests to described operations whose status matches. */
export function computeShare(report: FuzzReport, isMeant: (status: number) => boolean): number {
  const counts = [...report.statuses.values()].flatMap((statuses) => [...statuses]);
  const total = sum(counts.map(([, count]) => count));
  return sum(counts.filter(([status]) => isMeant(status)).map(([, count]) => count)) / total;
}

/** Returns whether the request was neither malformed nor invalid. */
export const passesValidation = (status: number): boolean => ![400, 413, 415, 422].includes(status);
/** Returns whether the request passed validation and authorization and reached the rules of its operation. */
export const reachesRules = (status: number): boolean => status < 400 || status === 404 || status === 409;

const median = (numbers: number[]): number => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0;

/** Returns the ratio of memory in the last quarter of the run to that in the second; the first is warm-up. */
export function memoryGrowth({ heldMegabytes }: FuzzReport): number {
  const quarter = heldMegabytes.length / 4;
  return median(heldMegabytes.slice(3 * quarter)) / median(heldMegabytes.slice(quarter, 2 * quarter));
}

const maxGrowth = 1.3;

/** Returns the problems of a run; empty if there are none. */
export function findProblems(report: FuzzReport): string[] {
  const unserved = [...report.statuses].filter(
    ([, statuses]) => ![...statuses.keys()].some((status) => status < 400),
  );
  return [
    ...report.faults.map(
      ({ operation, request, problem }) =>
        `${operation}: ${problem}\n  ${JSON.stringify(request).slice(0, 2_000)}`,
    ),
    ...unserved.map(([operation]) => `${operation} never succeeded`),
    ...(computeShare(report, passesValidation) < 0.5
      ? ['less than half of the requests pass validation']
      : []),
    ...(memoryGrowth(report) > maxGrowth ? [`memory grew by ${memoryGrowth(report).toFixed(2)}`] : []),
  ];
}
