const text = `Disca, on this machine. All state is kept under .dev/ of this checkout.

  ./dev setup [--tests]     install what is missing (Debian 12); with --tests also what tests and benchmarks need
  ./dev up                  start the databases, the programs, the SIP edge, a media node and the voice simulator
  ./dev down                stop everything this checkout started
  ./dev status              list services and their addresses
  ./dev logs NAME [-f]      show a service's logs; -f follows them
  ./dev env                 print addresses as shell variables: eval "$(./dev env)"
  ./dev demo                account, credit, softphone and a real call, step by step
  ./dev phone RAMAL@DOMAIN SENHA   a simulated softphone that registers and answers
  ./dev psql [ARGS]         psql on the development database, as its owner
  ./dev disca [ARGS]        the operator's command line: accounts, credit, rates, ledger
  ./dev reset               stop everything and delete all data of this checkout

  ./dev test [PATTERN]      run the tests whose path matches, with their services
  ./dev screenshots [NAME]  take screenshots of every console page, in .dev/screenshots
  ./dev check [--fast]      run everything CI runs; --fast: static checks and unit tests
  ./dev bench NAME          run a benchmark against its target: calls, console, edge, http, ledger, list, webhooks
  ./dev capacity [OPTIONS]  plan capacity: --phones, --calls-per-second, and the assumptions
  ./dev fuzz [NAME] [COUNT] fuzz requests, filters or the ledger: http, filters, ledger
  ./dev chaos [OPTIONS]     place calls while processes are killed: --calls, --kills, --rate, --seed
  ./dev rolling [OPTIONS]   place calls during a rolling restart: --seconds, --rate, --engines
  ./dev containers try|sbom build and run the images of deploy/ with a private engine, or list their contents`;

export async function help(): Promise<number> {
  console.log(text);
  return 0;
}
