import type { Command } from './command.js'
import { GROUPS } from './program.js'

/** The commands that begin with one word, and their line in the overview. They are loaded when they are called. */
interface Entry {
  readonly word: string
  readonly summary: string
  readonly load: () => Promise<readonly Command[]>
}

const group = (word: string, load: Entry['load']): Entry => ({ word, summary: GROUPS[word] ?? '', load })

const ENTRIES: readonly Entry[] = [
  {
    word: 'up',
    summary: 'runs everything in this process, with a live fleet of simulated agents',
    load: async () => [(await import('./commands/run/up.js')).up],
  },
  {
    word: 'init',
    summary: 'sets up a project: finds agents and MCP servers, proposes labels, writes policy and catalogue',
    load: async () => [(await import('./commands/setup/init.js')).init],
  },
  {
    word: 'monitor',
    summary: 'judges the events of a Kafka topic, with its state in Redis',
    load: async () => [(await import('./commands/run/services.js')).monitor],
  },
  {
    word: 'gateway',
    summary: 'serves agents that cannot reach Kafka',
    load: async () => [(await import('./commands/run/services.js')).gateway],
  },
  {
    word: 'mcp',
    summary: 'guards MCP servers: judges every call of their tools',
    load: async () => {
      const { mcp } = await import('./commands/run/mcp.js')
      const { mcpApprove } = await import('./commands/run/mcp-approve.js')
      const { mcpAdd, mcpUnwrap, mcpWrap } = await import('./commands/setup/mcp-config.js')
      return [mcp, mcpWrap, mcpUnwrap, mcpAdd, mcpApprove]
    },
  },
  {
    word: 'hook',
    summary: 'judges the tool calls of coding agents, as their hook',
    load: async () => {
      const { hook, hookRecord, hookServe } = await import('./commands/run/hook.js')
      const { hookInstall, hookUninstall } = await import('./commands/setup/hook-config.js')
      return [hook, hookInstall, hookUninstall, hookServe, hookRecord]
    },
  },
  {
    word: 'otel',
    summary: 'watches agents that OpenTelemetry instruments, after the fact',
    load: async () => [(await import('./commands/run/services.js')).otel],
  },
  {
    word: 'judge',
    summary: 'asks a model about the tools that no catalogue labels',
    load: async () => [(await import('./commands/run/services.js')).judge],
  },
  {
    word: 'console',
    summary: 'serves the page: the fleet, its sessions, and the questions that wait for an answer',
    load: async () => [(await import('./commands/run/services.js')).consoleCommand],
  },
  {
    word: 'fleet',
    summary: 'plays simulated agents over Kafka: a demonstration, and load',
    load: async () => [(await import('./commands/run/fleet.js')).fleet],
  },
  {
    word: 'doctor',
    summary: 'checks Kafka, Redis and the monitors, and says how to fix what is wrong',
    load: async () => [(await import('./commands/operate/doctor.js')).doctor],
  },
  group('sessions', async () => {
    const { sessionsList, sessionsShow } = await import('./commands/operate/sessions.js')
    const { sessionsLabel } = await import('./commands/operate/sessions-label.js')
    return [sessionsList, sessionsShow, sessionsLabel]
  }),
  {
    word: 'observed',
    summary:
      'shows what observing has found: by tool, what would have been asked and blocked, and what settles it',
    load: async () => [(await import('./commands/operate/observed.js')).observed],
  },
  {
    word: 'appeal',
    summary: 'records that a decision was wrong',
    load: async () => [(await import('./commands/operate/appeal.js')).appeal],
  },
  {
    word: 'approve',
    summary: 'answers an approval request',
    load: async () => [(await import('./commands/operate/approve.js')).approve],
  },
  group('approvals', async () => {
    const { approvalsForget, approvalsList } = await import('./commands/operate/approvals.js')
    const { approvalsRevoke } = await import('./commands/operate/approvals-revoke.js')
    return [approvalsList, approvalsForget, approvalsRevoke]
  }),
  {
    word: 'declassify',
    summary: 'declassifies data, so that a flow spec no longer blocks it',
    load: async () => [(await import('./commands/operate/declassify.js')).declassify],
  },
  group('dlq', async () => {
    const { dlqList, dlqShow, dlqRedrive } = await import('./commands/operate/dlq.js')
    return [dlqList, dlqShow, dlqRedrive]
  }),
  group('control', async () => (await import('./commands/control/control.js')).control),
  group('proof', async () => {
    const { proofKey, proofRecord } = await import('./commands/proof/record.js')
    const { proofVerify } = await import('./commands/proof/verify.js')
    const { proofCheck, proofReceipt } = await import('./commands/proof/receipt.js')
    const { proofErase } = await import('./commands/proof/erase.js')
    return [proofKey, proofRecord, proofVerify, proofReceipt, proofCheck, proofErase]
  }),
  {
    word: 'publish',
    summary: 'puts model bundles, policies and catalogues where every monitor finds them',
    load: async () => [(await import('./commands/control/publish.js')).publish],
  },
  {
    word: 'rebuild',
    summary: 'rebuilds the session records in Redis from Kafka, while no monitor runs',
    load: async () => [(await import('./commands/operate/rebuild.js')).rebuild],
  },
  group('policy', async () => {
    const { policyLint, policyTest, policyPacks } = await import('./commands/documents/policy.js')
    return [policyLint, policyTest, policyPacks]
  }),
  {
    word: 'verify',
    summary: 'proves that a policy prevents its hazards, or shows a run that reaches one',
    load: async () => [(await import('./commands/documents/verify.js')).verify],
  },
  {
    word: 'label',
    summary: 'proposes labels for the tools of an MCP server or of a list, and writes a catalogue',
    load: async () => {
      const { label } = await import('./commands/documents/label.js')
      const { labelCheck } = await import('./commands/documents/label-check.js')
      return [label, labelCheck]
    },
  },
  {
    word: 'category',
    summary: 'shows the category of a task text, and the words that decide it',
    load: async () => [(await import('./commands/documents/category.js')).category],
  },
  {
    word: 'explain',
    summary:
      'shows why each step of a session was decided as it was, and the features that weigh in its scores',
    load: async () => [(await import('./commands/models/explain.js')).explain],
  },
  {
    word: 'replay',
    summary: 'plays recorded sessions through a monitor and counts the verdicts, or compares two policies',
    load: async () => [(await import('./commands/models/replay.js')).replay],
  },
  {
    word: 'fit',
    summary: 'fits a model bundle to recorded sessions, the event log, or the counts of the monitors',
    load: async () => [(await import('./commands/models/fit.js')).fit],
  },
  {
    word: 'eval',
    summary: 'measures prediction accuracy on recorded sessions',
    load: async () => [(await import('./commands/models/eval.js')).evaluation],
  },
  {
    word: 'completion',
    summary: 'prints the script by which a shell completes commands and options',
    load: async () => {
      const { completionCommand } = await import('./commands/run/completion.js')
      return [completionCommand(await loadEntries(ENTRIES.filter(({ word }) => word !== 'completion')))]
    },
  },
]

async function loadEntries(entries: readonly Entry[]): Promise<readonly Command[]> {
  return (await Promise.all(entries.map(({ load }) => load()))).flat()
}

/** Every command, in the order of the overview. */
export const loadCommands = (): Promise<readonly Command[]> => loadEntries(ENTRIES)

/** What the overview shows of commands that are not called. */
function outline({ word, summary }: Entry): Command {
  const run = () => Promise.reject(new Error(`\`${word}\` is not loaded`))
  return { name: word, summary, description: '', options: {}, examples: [], run }
}

/** The commands that `argv` calls or asks the help of; of the others an outline, since loading them takes a second. */
export async function commandsFor(argv: readonly string[]): Promise<readonly Command[]> {
  const called = argv[0] === 'help' ? argv[1] : argv[0]
  const each = ENTRIES.map(async (entry) => (entry.word === called ? entry.load() : [outline(entry)]))
  return (await Promise.all(each)).flat()
}
