import type { Command as Program } from 'commander'
import { type Command, defineCommand } from '../../command.js'
import { createProgram } from '../../program.js'

/** What may follow the words of a command: its subcommands and options. */
interface Completions {
  readonly path: string
  readonly subcommands: readonly (readonly [name: string, help: string])[]
  /** Words that its operand may be. */
  readonly operands: readonly string[]
  readonly options: readonly (readonly [flag: string, help: string, choices: readonly string[]])[]
}

/** Of a program and its subcommands, the most specific first. */
function completionsOf(program: Program, path = ''): Completions[] {
  const { commands, options, registeredArguments } = program
  const own: Completions = {
    path,
    subcommands: commands.map((each) => [each.name(), each.summary()]),
    operands: registeredArguments.flatMap(({ argChoices = [] }) => argChoices),
    options: options.map(({ long, description, argChoices }) => [long ?? '', description, argChoices ?? []]),
  }
  return [...commands.flatMap((each) => completionsOf(each, `${path} ${each.name()}`.trim())), own]
}

function bashScript(all: readonly Completions[]): string {
  const rows = all.flatMap(({ path, subcommands, operands, options }) => [
    ...options.flatMap(([flag, , choices]) =>
      choices.length > 0 ? [`    '${path}'*' ${flag} ') words='${choices.join(' ')}' ;;`] : [],
    ),
    `    '${path}'*) words='${[...operands, ...[...subcommands, ...options].map(([name]) => name), '--help'].join(' ')}' ;;`,
  ])
  return `_plimsoll() {
  local words=''
  case "\${COMP_WORDS[*]:1:COMP_CWORD-1} " in
${rows.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _plimsoll plimsoll
_plimsoll_npx() {
  [[ "\${COMP_WORDS[1]}" = plimsoll ]] && ((COMP_CWORD > 1)) || return 0
  COMP_WORDS=("\${COMP_WORDS[@]:1}")
  COMP_CWORD=$((COMP_CWORD - 1))
  _plimsoll
}
complete -p npx > /dev/null 2>&1 || complete -o default -F _plimsoll_npx npx
`
}

function fishScript(all: readonly Completions[]): string {
  const quoted = (text: string): string => `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`
  const lines = all.flatMap(({ path, subcommands, operands, options }) => {
    const names = subcommands.map(([name]) => name).join(' ')
    const seen = path.split(' ').map((word) => `__fish_seen_subcommand_from ${word}`)
    const open = names === '' ? [] : [`not __fish_seen_subcommand_from ${names}`]
    const condition = quoted([...(path === '' ? [] : seen), ...open].join('; and '))
    return [
      ...subcommands.map(([name, help]) => `-n ${condition} -f -a ${name} -d ${quoted(help)}`),
      ...(operands.length > 0 ? [`-n ${condition} -f -a ${quoted(operands.join(' '))}`] : []),
      ...options.map(([flag, help, choices]) => {
        const values = choices.length > 0 ? ` -x -a ${quoted(choices.join(' '))}` : ''
        return `-n ${condition} -l ${flag.slice(2)} -d ${quoted(help)}${values}`
      }),
    ].map((rest) => `complete -c plimsoll ${rest}\n`)
  })
  return lines.join('')
}

const SCRIPTS = {
  bash: bashScript,
  zsh: (all: readonly Completions[]) => `autoload -U +X bashcompinit && bashcompinit\n${bashScript(all)}`,
  fish: fishScript,
} as const

export function completionCommand(commands: readonly Command[]): Command {
  const completion: Command = defineCommand({
    name: 'completion',
    summary: 'prints the script by which a shell completes commands and options',
    description:
      'Load the script in the start file of your shell, as the examples show. Without a shell it lists the shells. bash and zsh complete `npx plimsoll` too, unless npx has a completion of its own.',
    operands: [['[SHELL]', 'the shell', Object.keys(SCRIPTS)]],
    options: {},
    examples: [
      ['bash', 'in ~/.bashrc: eval "$(plimsoll completion bash)"'],
      ['zsh', 'in ~/.zshrc, after compinit: eval "$(plimsoll completion zsh)"'],
      ['fish', 'in ~/.config/fish/config.fish: plimsoll completion fish | source'],
    ],
    async run(_values, [shell], { stdout }) {
      const script = SCRIPTS[shell as keyof typeof SCRIPTS]
      const lines = completion.examples.map(([name, where]) => `${name.padEnd(5)} ${where}\n`)
      stdout.write(
        shell === undefined
          ? lines.join('')
          : script(completionsOf(createProgram([...commands, completion]))),
      )
      return 0
    },
  })
  return completion
}
