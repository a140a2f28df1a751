// Makes scripts that complete command lines in shells, from the tree of commands. At a press of Tab, such a script
// starts no program, so it is fast. It evaluates nothing of the line.
import type { Command } from 'commander';

/** A word that the shell can propose: the name of a command or an option. */
interface Proposal {
  readonly word: string;
  readonly about: string;
  /** True if a value follows the word. For the value, the shell proposes files. */
  readonly takesValue: boolean;
}

/** A command, named by its path such as `group create`, and the words that can follow it. */
interface Place {
  readonly path: string;
  readonly commands: readonly Proposal[];
  readonly options: readonly Proposal[];
}

export function bashScript(program: Command): string {
  const places = placesOf(program);
  const cases = places.map(
    ({ path, commands, options }) =>
      `    '${path}') commands='${wordsOf(commands)}'; options='${wordsOf(options)}'; valued=' ${wordsOf(options.filter((o) => o.takesValue))} ' ;;`,
  );
  return `# Completion of sealpost in bash: source <(sealpost completion bash)
_sealpost() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} path='' i commands='' options='' valued=''
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$path/\${COMP_WORDS[i]}" in
      ${stepsOf(places).join('|')}) path="\${path:+$path }\${COMP_WORDS[i]}" ;;
    esac
  done
  case "$path" in
${cases.join('\n')}
  esac
  COMPREPLY=()
  if [[ $valued == *" $prev "* ]]; then return; fi
  if [[ $cur == -* ]]; then commands=$options; fi
  COMPREPLY=($(compgen -W "$commands" -- "$cur"))
}
complete -o default -F _sealpost sealpost
`;
}

export function zshScript(program: Command): string {
  const places = placesOf(program);
  const described = ({ word, about }: Proposal) => quoted(`${word}:${about.replaceAll(':', '\\:')}`);
  const cases = places.map(
    ({ path, commands, options }) =>
      `    ('${path}') commands=(${commands.map(described).join(' ')}); options=(${options.map(described).join(' ')}); valued=(${wordsOf(options.filter((o) => o.takesValue))}) ;;`,
  );
  return `#compdef sealpost
# Completion of sealpost in zsh: source <(sealpost completion zsh)
_sealpost() {
  local place='' i
  local -a commands options valued
  for ((i = 2; i < CURRENT; i++)); do
    case "$place/\${words[i]}" in
      (${stepsOf(places).join('|')}) place="\${place:+$place }\${words[i]}" ;;
    esac
  done
  case "$place" in
${cases.join('\n')}
  esac
  if (( \${valued[(Ie)\${words[CURRENT-1]}]} )); then _files; return; fi
  if [[ \${words[CURRENT]} == -* ]]; then _describe -o option options; return; fi
  if (( \${#commands} )); then _describe command commands; else _files; fi
}
compdef _sealpost sealpost
`;
}

export function fishScript(program: Command): string {
  const places = placesOf(program);
  const lines = places.flatMap(({ path, commands, options }) => {
    const at = `complete -c sealpost -n ${quoted(`__sealpost_at '${path}'`, '"')}`;
    return [
      ...(commands.length > 0 ? [`${at} -f`] : []),
      ...commands.map(({ word, about }) => `${at} -a ${word} -d ${quoted(about)}`),
      ...options.map(
        ({ word, about, takesValue }) => `${at} -l ${word.slice(2)}${takesValue ? ' -r' : ''} -d ${quoted(about)}`,
      ),
    ];
  });
  return `# Completion of sealpost in fish: sealpost completion fish > ~/.config/fish/completions/sealpost.fish
function __sealpost_at
    set -l path ''
    for word in (commandline -opc)[2..-1]
        switch "$path/$word"
            case ${stepsOf(places).join(' ')}
                set path (string trim "$path $word")
        end
    end
    test "$path" = "$argv[1]"
end
${lines.join('\n')}
`;
}

const wordsOf = (proposals: readonly Proposal[]): string => proposals.map(({ word }) => word).join(' ');

/** Returns a text in quotes. Single quotes inside are left out, because the shells escape them in different ways. */
const quoted = (text: string, mark = "'"): string => `${mark}${mark === "'" ? text.replaceAll("'", '’') : text}${mark}`;

/** Returns the pairs of a command and its subcommand in a path, such as `'group/create'`. */
const stepsOf = (places: readonly Place[]): string[] =>
  places.flatMap(({ path, commands }) => commands.map(({ word }) => `'${path}/${word}'`));

function placesOf(command: Command, path = ''): Place[] {
  const help = command.createHelp();
  const children = help.visibleCommands(command).filter((child) => child.name() !== 'help');
  // Options of the default command are completed even if its name is left out.
  const usual = children.find((child) => child.name() === defaultOf(command));
  const options = [...help.visibleOptions(command), ...(usual ? usual.createHelp().visibleOptions(usual) : [])];
  const own: Place = {
    path,
    commands: children.map((child) => ({ word: child.name(), about: child.description(), takesValue: false })),
    options: [...new Map(options.map((option) => [option.long, option])).values()].flatMap(
      ({ long, flags, description }) =>
        long ? [{ word: long, about: description, takesValue: /[<[]/.test(flags) }] : [],
    ),
  };
  return [own, ...children.flatMap((child) => placesOf(child, `${path} ${child.name()}`.trim()))];
}

/**
 * Returns the name of the subcommand that runs if the user names none. The description of this subcommand says that its
 * name can be left out.
 */
const defaultOf = (command: Command): string | undefined =>
  command.commands.find((child) => child.description().includes('also without `'))?.name();
