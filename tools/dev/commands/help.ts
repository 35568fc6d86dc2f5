const text = `Runs Disca on this machine. All state is kept in .dev/ of this checkout.

  ./dev setup [--tests]     install missing dependencies (Debian 12); --tests: also those of tests and benchmarks
  ./dev up                  start the databases, the server processes, the SIP edge, a media node and the voice simulator
  ./dev down                stop everything this checkout started
  ./dev status              list services and their addresses
  ./dev logs NAME [-f]      show a service's logs; -f follows them
  ./dev env                 print addresses as shell variables: eval "$(./dev env)"
  ./dev demo                create an account with credit and a softphone, and place a real call
  ./dev phone RAMAL@DOMAIN SENHA   register a simulated softphone that answers calls
  ./dev psql [ARGS]         open psql on the development database, as its owner
  ./dev disca [ARGS]        run the operator's CLI: accounts, credit, rates, ledger
  ./dev reset               stop everything and delete all data of this checkout

  ./dev test [PATTERN]      run the tests whose path matches, with their services
  ./dev screenshots [NAME]  take screenshots of every console page, in .dev/screenshots;
                            --readme replaces the images of the README
  ./dev check [--fast]      run everything CI runs; --fast: static checks and unit tests
  ./dev advisories          list known vulnerabilities of the npm packages that are shipped; needs the registry
  ./dev bench NAME          run a benchmark against its target: calls, console, edge, http, ledger, list, placements, request-log,
                            search, webhooks, webhooks-fairness; --short: only check that it works; calls, placements: --against COMMIT; calls: --variant NAME
  ./dev capacity [OPTIONS]  plan capacity: --phones, --calls-per-second, and options for the assumptions
  ./dev fuzz [NAME] [COUNT] run a fuzz target: http, filters, ledger
  ./dev chaos [OPTIONS]     place calls while processes are killed: --calls, --kills, --rate, --seed
  ./dev cell --hosts        start a whole cell on separate hosts, as deploy/inventory installs it, until Ctrl-C (root only)
  ./dev failover [OPTIONS]  place calls while hosts of the database fail: --fault, --times
  ./dev host-loss [OPTIONS] place recorded calls in a cell on hosts while one is lost, and print a table: --host, --times
  ./dev restore-drill       back up and restore a large database, and print the times: --gigabytes
  ./dev rolling [OPTIONS]   place calls during a rolling restart: --seconds, --rate, --engines; --hosts: during an upgrade
                            from the previous release on separate hosts, and back (root only)
  ./dev neighbour [OPTIONS] measure an account beside one that attacks its budgets: --seconds, --rate, --short
  ./dev audio [OPTIONS]     place calls and measure what both parties hear: --calls, --concurrency, --seed, --disturb, --append FILE
  ./dev control [--rounds N] control running calls on the engine while voice is killed; legs end with the funded minute
  ./dev containers try|sbom build and run the images of deploy/ with a private engine, or list their contents`;

export async function help(): Promise<number> {
  console.log(text);
  return 0;
}
