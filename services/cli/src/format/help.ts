import { type Command, meaningOf } from '../command.js'
import type { Option } from '../options.js'

/** The page that lists every command. */
export function overview(commands: readonly Command[]): string {
  return paragraphs([
    ['plimsoll: verdicts on the tool calls of agents, before they run'],
    ['Usage', '  plimsoll <command> [options]'],
    ['Commands', ...table(commands.map(({ name, summary }) => [name, summary]))],
    [
      '`plimsoll <command> --help` shows the options of each, with examples; `plimsoll --version` the release.',
    ],
  ])
}

/** The page of one command: everything in it comes from the command's own table. */
export function helpOf(command: Command): string {
  const { name, summary, description, operands, options, environment = {}, examples } = command
  const read = Object.values(environment)
  const usage = [
    'plimsoll',
    name,
    ...(operands ? [operandUsage(operands)] : []),
    ...required(options),
    '[options]',
  ]
  return paragraphs([
    [`plimsoll ${name}: ${summary}`],
    ['Usage', `  ${usage.join(' ')}`],
    description,
    operands ? ['Arguments', ...table([[operands.name, operands.help]])] : [],
    ['Options', ...table([...Object.entries(options).map(optionRow), ['--help', 'this page']])],
    read.length > 0 ? ['Environment', ...table(read.map((each) => [each.env, meaningOf(each)]))] : [],
    [
      'Examples',
      ...examples.flatMap(([args, what]) => [`  plimsoll ${name}${args && ` ${args}`}`, `      ${what}`]),
    ],
  ])
}

function operandUsage({ name, min, max }: NonNullable<Command['operands']>): string {
  const shown = max > 1 ? `${name}…` : name
  return min > 0 ? shown : `[${shown}]`
}

function required(options: Readonly<Record<string, Option>>): string[] {
  return Object.entries(options).flatMap(([name, option]) =>
    option.type === 'text' && option.required ? [`--${name} ${option.value}`] : [],
  )
}

function optionRow([name, option]: [string, Option]): [string, string] {
  switch (option.type) {
    case 'flag':
      return [`--${name}`, option.help]
    case 'integer':
      return [`--${name} ${option.value}`, withDefault(option.help, option.default)]
    case 'duration':
      return [`--${name} TIME`, withDefault(option.help, option.default)]
    case 'text':
      return [`--${name} ${option.value}`, option.help]
    case 'list':
      return [`--${name} ${option.value}`, `${option.help}; may be given more than once`]
    case 'choice':
      return [`--${name} ${option.choices.join('|')}`, withDefault(option.help, option.default)]
  }
}

const withDefault = (help: string, value: number | string | undefined): string =>
  value === undefined ? help : `${help}; \`${value}\` if left out`

function table(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`)
}

function paragraphs(blocks: readonly (readonly string[])[]): string {
  const shown = blocks.filter((lines) => lines.length > 0)
  return `${shown.map((lines) => lines.join('\n')).join('\n\n')}\n`
}
