import type { Command } from 'commander';

/** Completions after a given sequence of commands. */
export interface CompletionPoint {
  /** The path of the command, such as `disca/extensions/add`. */
  name: string;
  words: { word: string; description: string }[];
  /** Allowed values by option. */
  values: Record<string, readonly string[]>;
}

export function completionPoints(command: Command, name = command.name()): CompletionPoint[] {
  const choices = command.registeredArguments.flatMap((argument) => argument.argChoices ?? []);
  const words = [
    ...command.commands.map((each) => ({ word: each.name(), description: each.description() })),
    ...choices.map((word) => ({ word, description: '' })),
    ...command.options.map(({ long, description }) => ({ word: long ?? '', description })),
    { word: '--help', description: 'show help' },
  ];
  const values = Object.fromEntries(
    command.options.flatMap(({ long, argChoices }) => (long && argChoices ? [[long, argChoices]] : [])),
  ) as CompletionPoint['values'];
  return [
    { name, words, values },
    ...command.commands.flatMap((each) => completionPoints(each, `${name}/${each.name()}`)),
  ];
}

/** Returns the words for each command path, and the choices for each path and option. */
const entriesOf = (places: CompletionPoint[]): [string, string][] =>
  places.flatMap(({ name, words, values }): [string, string][] => [
    [name, words.map(({ word }) => word).join(' ')],
    ...Object.entries(values).map(([option, choices]): [string, string] => [
      `${name} ${option}`,
      choices.join(' '),
    ]),
  ]);

export const bashScript = (program: Command): string => `# source <(disca completion bash)
declare -A _disca_words=(
${entriesOf(completionPoints(program))
  .map(([place, words]) => `  ["${place}"]="${words}"`)
  .join('\n')}
)
_disca() {
  local place=disca word last="\${COMP_WORDS[COMP_CWORD-1]}"
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ -n "\${_disca_words["$place/$word"]}" ]] && place="$place/$word"
  done
  local words="\${_disca_words["$place $last"]:-\${_disca_words["$place"]}}"
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}")
}
complete -o default -F _disca disca
`;

export const zshScript = (program: Command): string => `#compdef disca
# source <(disca completion zsh), after compinit
typeset -gA _disca_words=(
${entriesOf(completionPoints(program))
  .map(([place, words]) => `  "${place}" "${words}"`)
  .join('\n')}
)
_disca() {
  local place=disca word last="\${words[CURRENT-1]}"
  for word in "\${(@)words[2,CURRENT-1]}"; do
    [[ -n "\${_disca_words[$place/$word]}" ]] && place="$place/$word"
  done
  local given="\${_disca_words[$place $last]:-\${_disca_words[$place]}}"
  compadd -- \${=given}
}
compdef _disca disca
`;

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

export function fishScript(program: Command): string {
  const places = completionPoints(program);
  const lines = places.flatMap(({ name, words, values }) =>
    words.map(({ word, description }) => {
      const option = `-l ${word.slice(2)}${values[word] ? ` -x -a ${quoted(values[word].join(' '))}` : ''}`;
      const what = word.startsWith('--') ? option : `-a ${word}`;
      return `complete -c disca -f -n '__disca_at ${name}' ${what} -d ${quoted(description)}`;
    }),
  );
  return `# disca completion fish | source
set -g __disca_places ${places.map(({ name }) => name).join(' ')}
function __disca_at
  set -l place disca
  for word in (commandline -opc)[2..-1]
    contains -- $place/$word $__disca_places; and set place $place/$word
  end
  test $place = $argv[1]
end
${lines.join('\n')}
`;
}
