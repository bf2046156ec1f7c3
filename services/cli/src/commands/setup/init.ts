import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { PlimsollError, VERDICTS, worldSchema } from '@plimsoll/contracts'
import { type ToolDefinition, createEntryFinder, proposeLabels } from '@plimsoll/labels'
import { counted } from '@plimsoll/operations'
import { defaultDocuments, defaultPolicyText, parseDocument } from '@plimsoll/policy'
import { type Context, defineCommand, duration, flag, json } from '../../command.js'
import { pageFile } from '../../format/own-agent.js'
import { failureText, jsonLine, leftTable, plainLines, shellWord } from '../../format/text.js'
import { ownCommand } from '../../own-command.js'
import { catalogueText } from '../documents/catalogue-text.js'
import { toolsFrom } from '../documents/tools-from.js'
import { existingFiles } from './client-files.js'
import { parseConfigText } from './config-text.js'
import { type Entry, wrappedIn } from './entry.js'
import { type FoundFramework, findFrameworks } from './find-project.js'
import { placeOf } from './mcp-config.js'
import { replaceFile } from './replace-file.js'
import { type SampleOutcome, type SampleVerdict, observeSamples } from './sample-steps.js'

const FOLDER = 'plimsoll'
const POLICY = `${FOLDER}/policy.yaml`
const CATALOGUE = `${FOLDER}/catalogue.yaml`

/** An MCP server of a client's configuration. */
interface FoundServer {
  readonly file: string
  /** Empty for a file that is none. */
  readonly name: string
  readonly entry: Entry
  /** Why no server could be read from the file. */
  readonly problem?: string
}

interface ListedServer extends Omit<FoundServer, 'entry' | 'problem'> {
  readonly isWrapped: boolean
  readonly tools: readonly ToolDefinition[]
  /** Why its tools are not known. */
  readonly problem?: string
}

async function findServers(files: readonly string[]): Promise<readonly FoundServer[]> {
  const found = await Promise.all(files.map(serversIn))
  return found.flat()
}

async function serversIn(file: string): Promise<readonly FoundServer[]> {
  try {
    const { entries } = parseConfigText(await readFile(file, 'utf8'), file)
    return Object.entries(entries).map(([name, entry]) => ({ file, name, entry }))
  } catch (error) {
    // One client's broken file does not keep the others' from being set up.
    const problem =
      error instanceof PlimsollError ? error.message.replace(`\`${file}\` `, '') : failureText(error)
    return [{ file, name: '', entry: {}, problem }]
  }
}

/** A server as `plimsoll label` takes it, with the variables of its entry. */
interface Start {
  readonly operands: readonly string[]
  readonly header: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []

const record = (value: unknown): Record<string, string> =>
  Object.fromEntries(Object.entries({ ...(value as object) }).map(([name, each]) => [name, String(each)]))

/** How an entry is started without its client; a text that says why it cannot be. */
function startOf(entry: Entry, env: Context['env']): Start | string {
  const wrapped = wrappedIn(entry)
  const command = wrapped?.server ?? [...texts([entry.command]), ...texts(entry.args)]
  const headers = Object.entries(record(entry.headers))
  const all = {
    operands: command.length > 0 ? command : texts([entry.url]),
    header: headers.map(([name], i) => `${name}=MCP_HEADER_${i}`),
    env: {
      ...record(entry.env),
      ...Object.fromEntries(headers.map(([, value], i) => [`MCP_HEADER_${i}`, value])),
    },
  }
  const expanded = JSON.parse(
    JSON.stringify(all).replaceAll(
      /\$\{(?:env:)?(\w+)(?::-([^}]*))?\}/g,
      (whole, name: string, byDefault?: string) => {
        const value = env[name] ?? byDefault
        return value === undefined ? whole : JSON.stringify(value).slice(1, -1)
      },
    ),
  ) as Start
  const [open] = /\$\{[^}]*\}/.exec(JSON.stringify(expanded)) ?? []
  if (open !== undefined) return `only its client knows \`${open}\``
  return expanded.operands.length > 0 ? expanded : 'it has neither `command` nor `url`'
}

/** Starts nothing that the user has not agreed to. */
async function listServers(
  servers: readonly FoundServer[],
  { yes, timeout: timeoutMs }: { readonly yes: boolean; readonly timeout: number },
  { env, ask, signal, stderr }: Context,
): Promise<readonly ListedServer[]> {
  const listed: ListedServer[] = []
  for (const { file, name, entry, problem } of servers) {
    const server = { file, name, isWrapped: wrappedIn(entry) !== undefined, tools: [] }
    const start = problem ?? startOf(entry, env)
    if (typeof start === 'string') {
      listed.push({ ...server, problem: start })
      continue
    }
    // A variable can change what runs: `NODE_OPTIONS`, `PATH`.
    const variables = Object.keys(record(entry.env))
    const how = variables.length > 0 ? ` with ${variables.join(', ')} of ${file}` : ''
    const question = plainLines(
      `start \`${start.operands.join(' ')}\`${how} to list the tools of ${name}? [y/N] `,
    )
    const isAgreed = yes || /^y(es)?$/i.test((await ask?.(question))?.trim() ?? '')
    if (!isAgreed) {
      listed.push({ ...server, problem: ask ? 'not started' : 'not started: `--yes` agrees to it' })
      continue
    }
    stderr.write(plainLines(`listing the tools of ${name}${how}\n`))
    const options = { set: undefined, env: [], header: start.header, timeoutMs }
    try {
      const tools = await toolsFrom(start.operands, options, { env: { ...env, ...start.env }, signal })
      listed.push({ ...server, tools })
    } catch (error) {
      if (!(error instanceof PlimsollError)) throw error
      listed.push({ ...server, problem: error.message })
    }
  }
  return listed
}

interface InitReport {
  readonly frameworks: readonly FoundFramework[]
  readonly servers: readonly ListedServer[]
  readonly proposed: readonly string[]
  readonly doubtful: readonly string[]
  readonly samples: readonly SampleOutcome[]
}

const GUIDES = { typescript: 'guides/frameworks.md', python: 'guides/python.md' } as const

/** What to do next, a line each. */
function nextSteps({ frameworks, servers, doubtful }: InitReport, plimsoll: string): string[] {
  const files = [...new Set(servers.filter(({ name }) => name !== '').map(({ file }) => file))]
  const page = (name: string) => pageFile(name, process.cwd())
  const shown = (file: string) => path.relative(process.cwd(), file) || file
  return [
    ...(doubtful.length > 0
      ? [`read ${CATALOGUE}, and remove \`guessed: true\` where you have looked: ${doubtful.join(', ')}`]
      : []),
    ...files.map(
      (file) =>
        `observe for a week: ${plimsoll} mcp wrap --file ${shellWord(shown(file))} --observe --policy ${POLICY} --catalogue ${CATALOGUE}`,
    ),
    ...(files.length > 0
      ? [`after it: ${plimsoll} observed; then wrap again without \`--observe\` to enforce`]
      : []),
    ...frameworks.map(
      ({ name, language, next }) => `${name} (${language}): ${next} (${page(GUIDES[language])})`,
    ),
    ...(frameworks.some(({ language }) => language === 'typescript')
      ? [
          `in code: createGuard({ mode: 'observe', documents: { policy: '${POLICY}', catalogue: '${CATALOGUE}' } })`,
        ]
      : []),
    ...(frameworks.some(({ language }) => language === 'python')
      ? [`for Python, a gateway: ${plimsoll} up --no-fleet --policy ${POLICY} --catalogue ${CATALOGUE}`]
      : []),
    `your own tools: add them to ${CATALOGUE}; a tool without labels is asked about`,
  ]
}

/** Characters of a server's failure that are shown. */
const PROBLEM_CHARS_MAX = 160

const isStopped = ({ verdict }: SampleVerdict): boolean => verdict === 'confirm' || verdict === 'block'

const isAtLeast = (one: SampleVerdict, other: SampleVerdict): boolean =>
  VERDICTS.indexOf(one.verdict) >= VERDICTS.indexOf(other.verdict)

/** The tools that would have been asked about or blocked. */
function samplesText(samples: readonly SampleOutcome[]): string {
  const stopped = samples.filter(
    ({ alone, afterRead }) => isStopped(alone) || (afterRead && isStopped(afterRead)),
  )
  const rows = stopped.map(({ tool, alone, afterRead }) => [
    tool,
    alone.verdict,
    afterRead?.verdict ?? '-',
    // The more severe verdict.
    afterRead && isAtLeast(afterRead, alone) ? afterRead.why : alone.why,
  ])
  const head = ['tool', 'by itself', 'with sensitive text', 'because']
  const count = counted(samples.length, 'tool')
  return rows.length === 0
    ? `sample steps of ${count}, none of them called: none would have been asked about or blocked\n`
    : `sample steps of ${count}, none of them called; these would have been asked about (confirm) or blocked:\n${leftTable([head, ...rows], '  ')}`
}

function reportText(report: InitReport, next: readonly string[]): string {
  const { frameworks, servers, proposed, samples } = report
  const found = frameworks.map(({ name, language, file }) => [name, language, file])
  const rows = servers.map(({ name, file, isWrapped, tools, problem }) => [
    name,
    file,
    `${isWrapped ? 'behind Plimsoll; ' : ''}${problem?.slice(0, PROBLEM_CHARS_MAX) ?? counted(tools.length, 'tool')}`,
  ])
  return [
    found.length > 0 ? `agent frameworks\n${leftTable(found, '  ')}` : 'no agent framework found\n',
    rows.length > 0 ? `MCP servers\n${leftTable(rows, '  ')}` : 'no MCP servers found\n',
    `${POLICY}: the shipped policy, to change\n`,
    `${CATALOGUE}: ${counted(proposed.length, 'tool')} that the shipped catalogue does not know\n`,
    samples.length > 0 ? `\n${samplesText(samples)}` : '',
    `\nnext\n${next.map((line) => `  - ${plainLines(line)}\n`).join('')}`,
  ].join('')
}

/** Whether the folder can be that of a world; the root, for one, cannot. */
const isDeclarable = (folder: string): boolean => worldSchema.safeParse({ folder }).success

/** The shipped policy under a name of its own. */
const ownPolicy = (text: string, name: string): string =>
  text
    .replace(
      /^# The policy that ships[^\n]*\n/,
      '# Starts as the policy that ships: docs/reference/policies.md.\n',
    )
    .replace(/^name: .*$/m, `name: ${JSON.stringify(name)}`)

export const init = defineCommand({
  name: 'init',
  summary: 'sets up a project: finds agents and MCP servers, proposes labels, writes policy and catalogue',
  description:
    'Finds agent frameworks (package.json, pyproject.toml, requirements.txt) and the MCP servers of Claude Desktop, Claude Code, Cursor and VS Code. Lists the tools of servers that you agree to start, and calls none. Writes `plimsoll/policy.yaml` and `plimsoll/catalogue.yaml`. Plays sample steps through both, and shows what would have been asked and blocked, and what to do next. Changes nothing else.',
  options: {
    yes: flag('starts every MCP server that it finds, without a question'),
    force: flag('overwrites the files that it writes'),
    timeout: duration('how long a server may take', '30s'),
    json,
  },
  examples: [
    ['', 'asks before it starts a server'],
    ['--yes --json', 'in a script, with the servers'],
  ],
  async run(options, _, context) {
    const { force, json } = options
    const { env, stdout } = context
    const place = placeOf(env)
    const existing = [POLICY, CATALOGUE].find((file) => existsSync(path.join(place.cwd, file)))
    if (existing !== undefined && !force)
      throw new PlimsollError('usage_invalid', `\`${existing}\` exists: \`--force\` overwrites it`)
    const frameworks = await findFrameworks(place.cwd)
    const servers = await listServers(await findServers(existingFiles(place)), options, context)
    const tools = [
      ...new Map(servers.flatMap((each) => each.tools).map((tool) => [tool.name, tool])).values(),
    ]

    const isKnown = createEntryFinder((await defaultDocuments()).catalogue)
    const proposal = proposeLabels(tools.filter(({ name }) => !isKnown(name)))
    const name =
      path
        .basename(place.cwd)
        .replaceAll(/[^\w.-]+/g, '-')
        .slice(0, 64) || 'own'
    const texts = {
      policy: ownPolicy(await defaultPolicyText(), name),
      catalogue: catalogueText(name, proposal, tools, isDeclarable(place.cwd) ? place.cwd : undefined),
    }
    const policy = parseDocument('policy', texts.policy, POLICY)
    const catalogue = parseDocument('catalogue', texts.catalogue, CATALOGUE)
    const documents = await defaultDocuments({ policy, catalogue })
    const report: InitReport = {
      frameworks,
      servers,
      proposed: proposal.labellings.map(({ tool }) => tool),
      doubtful: proposal.labellings.filter(({ doubts }) => doubts.length > 0).map(({ tool }) => tool),
      samples: await observeSamples(tools, documents),
    }
    await replaceFile(path.join(place.cwd, POLICY), texts.policy, 0o644)
    await replaceFile(path.join(place.cwd, CATALOGUE), texts.catalogue, 0o644)
    const next = nextSteps(report, ownCommand(env, place.cwd))
    const figures = {
      ...report,
      servers: servers.map((server) => ({ ...server, tools: server.tools.map((tool) => tool.name) })),
      files: [POLICY, CATALOGUE],
      next,
    }
    stdout.write(json ? jsonLine(figures) : reportText(report, next))
    return 0
  },
})
