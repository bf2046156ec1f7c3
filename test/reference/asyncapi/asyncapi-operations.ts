import type { Channel } from './asyncapi-messages.js'

/** What somebody does with a topic. */
export interface Operation {
  readonly by: 'agent' | 'monitor' | 'operator' | 'subscriber'
  readonly action: 'send' | 'receive'
  readonly channel: Channel
  readonly summary: string
  /** By the names of messages. */
  readonly messages: readonly string[]
  /** The consumer group, where it is one of ours. */
  readonly group?: string
  readonly reply?: { readonly channel: Channel; readonly messages: readonly string[] }
}

const AGENTS = ['sessionStarted', 'stepProposed', 'stepCompleted', 'sessionEnded']
const CONTROLS = ['versionsActivated', 'modeChanged', 'fleetStopped', 'fleetResumed', 'shadowChanged']
const DOCUMENTS = ['bundle', 'policy', 'catalogue']

export const OPERATIONS: Readonly<Record<string, Operation>> = {
  agentReports: {
    by: 'agent',
    action: 'send',
    channel: 'events',
    summary: 'An agent starts a session, reports what it has run, and ends the session.',
    messages: AGENTS.filter((name) => name !== 'stepProposed'),
  },
  agentProposes: {
    by: 'agent',
    action: 'send',
    channel: 'events',
    summary:
      'An agent proposes a step, and waits for the decision before it runs it. It reads the decisions before it proposes.',
    messages: ['stepProposed'],
    reply: { channel: 'decisions', messages: ['decision'] },
  },
  monitorReads: {
    by: 'monitor',
    action: 'receive',
    channel: 'events',
    summary: 'A monitor judges the events of the partitions that its group gives it.',
    messages: [...AGENTS, 'approvalResolved', 'deadlineReached', 'declassificationGranted', ...CONTROLS],
    group: 'plimsoll-monitor',
  },
  monitorDecides: {
    by: 'monitor',
    action: 'send',
    channel: 'decisions',
    summary: 'A monitor answers.',
    messages: ['decision'],
  },
  monitorSetsAside: {
    by: 'monitor',
    action: 'send',
    channel: 'deadLetters',
    summary: 'A monitor sets aside what cannot be judged.',
    messages: ['deadLetter'],
  },
  monitorCompares: {
    by: 'monitor',
    action: 'send',
    channel: 'shadow',
    summary:
      'A monitor tells where a candidate in shadow differs; the last of what comes too thick is left out.',
    messages: ['shadowRecord'],
  },
  monitorTellsTheTime: {
    by: 'monitor',
    action: 'send',
    channel: 'events',
    summary: 'The owner of a partition publishes what came due in it.',
    messages: ['deadlineReached'],
  },
  monitorFollows: {
    by: 'monitor',
    action: 'receive',
    channel: 'registry',
    summary: 'A monitor takes documents and reports from the registry.',
    messages: [...DOCUMENTS, 'controlAudit', 'partitionReport'],
  },
  monitorReports: {
    by: 'monitor',
    action: 'send',
    channel: 'registry',
    summary: 'The owner of a partition tells what it made of a control change.',
    messages: ['partitionReport'],
  },
  operatorAnswers: {
    by: 'operator',
    action: 'send',
    channel: 'events',
    summary: 'A human answers a decision that asks: `plimsoll approve`.',
    messages: ['approvalResolved'],
    reply: { channel: 'decisions', messages: ['decision'] },
  },
  operatorDeclassifies: {
    by: 'operator',
    action: 'send',
    channel: 'events',
    summary: 'A human declassifies what a flow spec has seen: `plimsoll declassify`.',
    messages: ['declassificationGranted'],
  },
  operatorChanges: {
    by: 'operator',
    action: 'send',
    channel: 'events',
    summary:
      'A control change, once in each partition: `plimsoll control activate`, `mode`, `stop`, `resume`.',
    messages: CONTROLS,
    reply: { channel: 'registry', messages: ['partitionReport'] },
  },
  operatorPublishes: {
    by: 'operator',
    action: 'send',
    channel: 'registry',
    summary: 'A document under its version (`plimsoll publish`), and the audit of each control change.',
    messages: [...DOCUMENTS, 'controlAudit'],
  },
  subscriberReads: {
    by: 'subscriber',
    action: 'receive',
    channel: 'decisions',
    summary: 'A SIEM or a warehouse. Read with a group of your own.',
    messages: ['decision'],
  },
  subscriberReadsShadow: {
    by: 'subscriber',
    action: 'receive',
    channel: 'shadow',
    summary: 'An engineer who tries a candidate.',
    messages: ['shadowRecord'],
  },
  subscriberReadsDeadLetters: {
    by: 'subscriber',
    action: 'receive',
    channel: 'deadLetters',
    summary: 'An operator who mends events that cannot be judged.',
    messages: ['deadLetter'],
  },
}
