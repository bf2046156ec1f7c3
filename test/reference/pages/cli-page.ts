import { COMMANDS, helpOf } from '@plimsoll/cli'

/** The text of docs/reference/cli.md: the help of every command, as the command line prints it. */
export function cliPage(): string {
  return [
    '# Command line',
    '',
    '`npx plimsoll` in a clone after `npm ci && npm run build`; `plimsoll` in the image. Exit codes: 0 done, 1 failed, 2 called or configured wrongly.',
    '',
    'This page is made from the declarations of the commands: `npm run reference` writes it, and a test fails if the two differ.',
    '',
    ...fenced(helpOf(COMMANDS)),
    ...COMMANDS.flatMap((command) => [
      `## plimsoll ${command.name}`,
      '',
      ...fenced(helpOf(COMMANDS, command.name)),
    ]),
  ].join('\n')
}

const fenced = (text: string): string[] => ['```text', text.trimEnd(), '```', '']
