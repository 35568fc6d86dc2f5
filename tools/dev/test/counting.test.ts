import { describe, expect, it } from 'vitest';
import { packagesMatch } from '../packages-match.ts';
import { countTests } from '../test-suite.ts';

const report = {
  numPassedTests: 3,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  testResults: [{ status: 'passed', assertionResults: [{}, {}, {}] }],
};

describe('the count of tests', () => {
  it('equals that of the report when all tests pass', () => {
    expect(countTests(report, 0)).toEqual({ passed: 3, failed: 0 });
  });

  it('counts skipped tests and files that do not load as failed', () => {
    const testResults = [...report.testResults, { status: 'failed', assertionResults: [] }];
    expect(countTests({ ...report, numPendingTests: 2, testResults }, 1)).toEqual({ passed: 3, failed: 3 });
  });

  it('never reports a failed run as passed', () => {
    expect(countTests(report, 1)).toEqual({ passed: 3, failed: 1 });
    expect(countTests(undefined, 0)).toEqual({ passed: 0, failed: 1 });
  });
});

describe('the installed packages', () => {
  const wanted = { '': {}, a: { version: '1.0.0', integrity: 'x' }, b: { version: '2.0.0', optional: true } };

  it('match without the optional ones of other platforms', () => {
    expect(packagesMatch(wanted, { a: { version: '1.0.0', integrity: 'x' } })).toBe(true);
  });

  it('do not match when one is missing, extra or of another version', () => {
    expect(packagesMatch(wanted, {})).toBe(false);
    expect(packagesMatch(wanted, { a: { version: '1.0.1', integrity: 'x' } })).toBe(false);
    expect(packagesMatch(wanted, { a: { version: '1.0.0', integrity: 'x' }, c: { version: '1.0.0' } })).toBe(
      false,
    );
  });
});
