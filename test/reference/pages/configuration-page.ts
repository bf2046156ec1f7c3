import { COMMANDS } from '@plimsoll/cli'
import type { Setting, SettingValue } from '@plimsoll/runtime'

type AnySetting = Setting<SettingValue>

/** Settings that are read outside the services, so that no command declares them. */
const ELSEWHERE: readonly (readonly [env: string, meaning: string])[] = [
  ['PLIMSOLL_TRACES', 'Folder of recorded sessions, for `npm test` and `npm run bench`.'],
  [
    'PLIMSOLL_CACHE',
    'Folder in which the tests keep what they download and what `npm run kafka:up` runs on.',
  ],
  ['PLIMSOLL_REQUIRE_BROKERS', '`1`: a test that is skipped because Kafka or Redis is missing fails.'],
]

/** The text of docs/reference/configuration.md: every setting that a command reads, from the declarations that parse it. */
export function configurationPage(): string {
  const readers = readersBySetting()
  const isOurs = (env: string) => env.startsWith('PLIMSOLL_')
  const sections = (wanted: boolean) =>
    [...readers].filter(([env]) => isOurs(env) === wanted).flatMap(([, each]) => entryOf(each))
  return [
    '# Configuration',
    '',
    'Settings come only from the environment. An empty variable counts as not set. A service reports all problems at once, before it starts',
    '(`config_invalid`, exit code 2). An unknown name that starts with `PLIMSOLL_` is such a problem.',
    '',
    'Values marked *secret* are never shown, not even in errors. To read one from a file, add `_FILE` to its name',
    '(`PLIMSOLL_SIGNING_KEY_FILE=/run/secrets/signing-key`).',
    '',
    'This page is made from the declarations that read the settings: `npm run reference` writes it, and a test fails if the two differ.',
    '',
    '## Kafka and Redis',
    '',
    ...sections(false),
    '## Plimsoll',
    '',
    ...sections(true),
    '## Elsewhere',
    '',
    ...ELSEWHERE.map(([env, meaning]) => `- \`${env}\`: ${meaning}`),
    '',
  ].join('\n')
}

interface Reader {
  readonly setting: AnySetting
  readonly command: string
}

/** Each setting once, with the commands that read it, in the order of the overview. */
function readersBySetting(): Map<string, Reader[]> {
  const readers = new Map<string, Reader[]>()
  for (const { name: command, environment = {} } of COMMANDS)
    for (const [env, setting] of Object.entries(environment))
      readers.set(env, [...(readers.get(env) ?? []), { setting, command }])
  return readers
}

function entryOf(readers: readonly Reader[]): string[] {
  const [first] = readers
  if (!first) return []
  const { env, doc, expects, default: byDefault, isSecret } = first.setting
  const needing = readers.filter(({ setting }) => setting.isRequired)
  const rows = [
    `- Form: ${expects}${isSecret ? ' (*secret*)' : ''}`,
    `- Default: ${byDefault === undefined ? 'none' : `\`${byDefault}\``}`,
    `- Read by: ${namesOf(readers)}`,
    ...(needing.length > 0 ? [`- Required by: ${namesOf(needing)}`] : []),
  ]
  return [`### \`${env}\``, '', doc, '', ...rows, '']
}

const namesOf = (readers: readonly Reader[]) => readers.map(({ command }) => `\`${command}\``).join(', ')
