import type { z } from 'zod'
import { COMMANDS_FILE, ROWS, commandEntrySchema } from '../command-entry.js'

/** The text of docs/reference/commands.md: how to tell Plimsoll of a program, field by field. */
export function commandsPage(): string {
  return [
    '# Commands',
    '',
    `What is known of each program of a shell stands in one file, \`${COMMANDS_FILE}\`: all that reads a command reads it there. To`,
    'teach a program, add an entry, wherever in the file; several programs that are alike share one. This page is made from the schema in',
    '`test/reference/command-entry.ts`: `npm run reference` writes it, and `npm test` names an entry that does not fit.',
    '',
    '```json',
    EXAMPLE,
    '```',
    '',
    'Names of labels: `LOOK` and `READ` look (what is read is untrusted), `WRITE` changes files, `EXECUTE` runs code, `DESTROY` cannot be taken',
    'back, `ASK` reads from another host, `SEND` sends to one, `INSTALL` fetches what may run.',
    '',
    'Programs that need a reader of their own (`git`, `rm`, `ssh`, `sed`, `psql`) have one in',
    '`shared/labels/src/arguments/shell/programs`.',
    '',
    ...table('field', commandEntrySchema.shape),
    ...Object.entries(ROWS).flatMap(([name, row]) => [
      `## Rows of \`${name}\``,
      '',
      ...table('field', row.shape),
    ]),
  ].join('\n')
}

/** An entry of a hosting command line that does not exist. The tests add it to the file and try it. */
export const EXAMPLE = `{
  "names": "skyhost",
  "is": ["platform"],
  "looks": "status logs apps",
  "otherwise": "SEND",
  "carries": [{ "after": "console", "texts": "-C --command" }],
  "values": [{ "verbs": ["secrets set"], "named": 32, "places": "-a --app" }],
  "acts": [
    {
      "act": "delete",
      "reach": "live",
      "reason": "a command that ends what others use",
      "when": ["apps destroy", "machine destroy"]
    },
    { "act": "publish", "effect": "deploy", "reach": "live", "reason": "a command that puts live", "when": ["deploy"] }
  ]
}`

function table(title: string, shape: Readonly<Record<string, z.ZodType>>): string[] {
  const rows = Object.entries(shape).map(
    ([name, field]) => `| \`${name}\` | ${field.description ?? valuesOf(field)} |`,
  )
  return [`| ${title} | meaning |`, '|---|---|', ...rows, '']
}

/** The words that a field may hold. */
const valuesOf = (field: z.ZodType): string =>
  'options' in field && Array.isArray(field.options)
    ? field.options.map((word) => `\`${String(word)}\``).join(', ')
    : ''
