/** Shell scripts that complete a program's commands, options and option values, and otherwise files. */
import type { CompletedCommand, CompletedOption } from './command-tree.ts'

export type Shell = 'bash' | 'zsh' | 'fish'
export const shells: readonly Shell[] = ['bash', 'zsh', 'fish']

export const completionScript = (
  shell: Shell,
  program: string,
  commands: readonly CompletedCommand[],
): string => scripts[shell](program, commands)

/** In single quotes, for every shell. */
const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
const words = (list: readonly string[]) => quote(list.join(' '))
const functionName = (program: string) => `_${program.replaceAll(/\W/g, '_')}`
const namesOf = (options: readonly CompletedOption[]) => options.flatMap(({ names }) => names)
/** Patterns of options that take a path, and of options whose value cannot be completed. */
const withPath = (options: readonly CompletedOption[]) =>
  namesOf(options.filter((each) => each.takesPath))
    .concat('--none')
    .join('|')
const withOther = (options: readonly CompletedOption[]) =>
  namesOf(options.filter((each) => each.takesValue && !each.takesPath && each.choices.length === 0))
    .concat('--none')
    .join('|')

/** Finds the command named by the words before the cursor; the same in bash and zsh. */
const findCommand = (commands: readonly CompletedCommand[], word: string) => `\
    case "$path $${word}" in
${commands
  .filter(({ path }) => path !== '')
  .map(({ path }) => `      ${quote(` ${path}`)}) path=${quote(` ${path}`)} ;;`)
  .join('\n')}
    esac`

function bash(program: string, commands: readonly CompletedCommand[]): string {
  const cases = commands.map(
    ({ path, options, commands: below, choices, takesPaths }) => `\
    ${quote(path === '' ? '' : ` ${path}`)})
      case "$previous" in
${options
  .filter((option) => option.choices.length > 0)
  .map((option) => `        ${option.names.join('|')}) candidates=${words(option.choices)} ;;`)
  .join('\n')}
        ${withPath(options)}) files=1 ;;
        ${withOther(options)}) ;;
        *)
          case "$current" in
            -*) candidates=${words(namesOf(options))} ;;
            *) candidates=${words([...below, ...choices])}; ${takesPaths ? 'files=1' : ':'} ;;
          esac ;;
      esac ;;`,
  )
  const name = functionName(program)
  return `# bash completion of ${program}: eval "$(${program} completion bash)"
${name}() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" path='' candidates='' files='' word i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
${findCommand(commands, 'word')}
  done
  case "$path" in
${cases.join('\n')}
  esac
  COMPREPLY=()
  if [[ -n $files ]]; then
    compopt -o filenames 2>/dev/null
    local IFS=$'\\n'
    COMPREPLY=($(compgen -f -- "$current"))
  else
    COMPREPLY=($(compgen -W "$candidates" -- "$current"))
  fi
}
complete -F ${name} ${program}
`
}

function zsh(program: string, commands: readonly CompletedCommand[]): string {
  const described = (name: string, description: string) =>
    quote(`${name.replaceAll(':', '\\:')}:${description.replaceAll(/\s+/g, ' ')}`)
  const cases = commands.map(({ path, options, commands: below, choices, takesPaths }) => {
    const descriptions = below.map((name) => {
      const full = path === '' ? name : `${path} ${name}`
      return described(name, commands.find((each) => each.path === full)?.description ?? '')
    })
    return `\
    ${quote(path === '' ? '' : ` ${path}`)})
      case "$previous" in
${options
  .filter((option) => option.choices.length > 0)
  .map(
    (option) => `        ${option.names.join('|')}) candidates=(${option.choices.map(quote).join(' ')}) ;;`,
  )
  .join('\n')}
        ${withPath(options)}) files=1 ;;
        ${withOther(options)}) ;;
        *)
          case "$current" in
            -*) candidates=(${options.flatMap(({ names, description }) => names.map((name) => described(name, description))).join(' ')}) ;;
            *) candidates=(${[...descriptions, ...choices.map(quote)].join(' ')}); ${takesPaths ? 'files=1' : ':'} ;;
          esac ;;
      esac ;;`
  })
  const name = functionName(program)
  return `#compdef ${program}
# zsh completion of ${program}: source <(${program} completion zsh)
${name}() {
  local current="\${words[CURRENT]}" previous="\${words[CURRENT-1]}" path_='' files='' word i
  local -a candidates
  for ((i = 2; i < CURRENT; i++)); do
    word="\${words[i]}"
${findCommand(commands, 'word').replaceAll('$path', '$path_').replaceAll(' path=', ' path_=')}
  done
  case "$path_" in
${cases.join('\n')}
  esac
  if [[ -n $files ]]; then
    _files
  else
    _describe ${quote(program)} candidates
  fi
}
compdef ${name} ${program}
`
}

function fish(program: string, commands: readonly CompletedCommand[]): string {
  const name = functionName(program).slice(1)
  const lines = commands.flatMap(({ path, options, commands: below, choices, takesPaths }) => {
    const condition = `-n ${quote(`__${name}_at ${path}`)}`
    return [
      ...(takesPaths ? [] : [`complete -c ${program} ${condition} -f`]),
      ...below.map((each) => {
        const full = path === '' ? each : `${path} ${each}`
        const description = commands.find((command) => command.path === full)?.description ?? ''
        return `complete -c ${program} ${condition} -f -a ${quote(each)} -d ${quote(description)}`
      }),
      ...choices.map((choice) => `complete -c ${program} ${condition} -f -a ${quote(choice)}`),
      ...options.map((option) => {
        const flags = option.names.map((each) =>
          each.startsWith('--') ? `-l ${quote(each.slice(2))}` : `-s ${quote(each.slice(1))}`,
        )
        const value =
          option.choices.length > 0
            ? ` -x -a ${words(option.choices)}`
            : option.takesPath
              ? ' -r -F'
              : option.takesValue
                ? ' -x'
                : ''
        return `complete -c ${program} ${condition} ${flags.join(' ')} -d ${quote(option.description)}${value}`
      }),
    ]
  })
  return `# fish completion of ${program}: ${program} completion fish | source
function __${name}_at
  set -l path
  for word in (commandline -opc)[2..]
    switch "$path $word"
${commands
  .filter(({ path }) => path !== '')
  .map(({ path }) => `      case ${quote(` ${path}`)}\n        set path ${quote(` ${path}`)}`)
  .join('\n')}
    end
  end
  test (string trim "$path") = "$argv"
end
${lines.join('\n')}
`
}

const scripts = { bash, zsh, fish } as const
