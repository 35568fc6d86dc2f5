const text = `Disca, on this machine. Everything is kept under .dev/ of this checkout.

  ./dev setup [--tests]     install what is missing (Debian 12); with --tests also what tests and benchmarks need
  ./dev up                  start stores, programs, the SIP edge, a media node and the voice simulator
  ./dev down                stop all that this checkout started
  ./dev status              what runs, and where
  ./dev logs NAME [-f]      the log of a service; -f follows it
  ./dev env                 addresses as shell variables: eval "$(./dev env)"
  ./dev demo                a company, credit, a softphone and a real call, told step by step
  ./dev phone RAMAL@DOMAIN SENHA   a simulated softphone that registers and answers
  ./dev psql [ARGS]         psql on the development database, as its owner
  ./dev disca [ARGS]        the operator's command line: accounts, credit, rates, ledger
  ./dev reset               stop everything and drop all data of this checkout

  ./dev test [PATTERN]      the tests whose path matches, with their services
  ./dev screenshots [NAME]  a picture of every screen of the console, in .dev/screenshots
  ./dev check [--fast]      all that CI runs; --fast: static checks and unit tests
  ./dev bench NAME          a benchmark against its bar: calls, console, edge, http, ledger, list, webhooks
  ./dev capacity [OPTIONS]  what a demand needs: --phones, --calls-per-second, and what is assumed
  ./dev fuzz [NAME] [COUNT] generated requests, filters or money: http, filters, ledger
  ./dev chaos [OPTIONS]     calls while everything is killed at random: --calls, --kills, --rate, --seed
  ./dev rolling [OPTIONS]   calls while every process is restarted in turn: --seconds, --rate, --engines
  ./dev containers try|sbom the images of deploy/, built and run by an engine of our own; or what is in them`;

export async function help(): Promise<number> {
  console.log(text);
  return 0;
}
