import {
  catalogueSchema,
  controlSchema,
  DEAD_LETTER_HEADERS,
  ERRORS,
  eventSchema,
  TENANT_HEADER,
  versionOf,
  type ControlType,
  type EventType,
  type Topics,
} from '@plimsoll/contracts'
import type { Samples } from '../samples.js'
import { CONTRACTS, toJsonSchema, type JsonSchema } from '../schemas.js'

export type Channel = keyof Topics

/** One kind of record: where it lies, under which key, with which headers. */
export interface Message {
  readonly name: string
  readonly channel: Channel
  readonly title: string
  readonly summary: string
  readonly key: JsonSchema
  readonly headers?: JsonSchema
  readonly payload: JsonSchema
  readonly contentType?: string
  /** What ties a decision to the event that it answers. */
  readonly correlationId?: { readonly location: string; readonly description: string }
  readonly examples: readonly object[]
}

const EVENT_SUMMARIES: Readonly<Record<EventType, string>> = {
  'session.started': 'The first event of a session; it pins the versions that the session is judged by.',
  'session.instructed':
    'A later message of the user, as the host of the agent passes it on: it counts as the task does. Answered by nothing.',
  'step.proposed': 'A step before it runs: answered by a decision under the same session id.',
  'step.completed':
    'A step that has run. It can raise what the session is taken to have seen, never lower it.',
  'session.ended': 'Nothing more comes of this session.',
  'approval.resolved': 'A human answered a decision that asks; signed.',
  'approval.revoked': 'A human revoked an approval for a session; signed.',
  'deadline.reached':
    'Something came due: an approval that nobody gave, an obligation that nothing paid, a session not heard of; signed.',
  'labels.refined': 'What a judge made of a tool that no catalogue labels; signed.',
  'session.labelled': 'What really happened, as somebody says who looked: for fitting alone; signed.',
  'decision.appealed':
    'A person who met a decision says that it was wrong, with what replays it: for people and fits alone; signed.',
  'declassification.granted':
    'A human declassifies what one flow spec has seen so far: the only way to lift its block; signed.',
}
const CONTROL_SUMMARIES: Readonly<Record<ControlType, string>> = {
  'versions.activated': 'New sessions, or running ones too, are judged by these documents; signed.',
  'mode.changed': 'Verdicts are waited for, or only recorded; signed.',
  'fleet.stopped': 'Every proposal is blocked; signed.',
  'fleet.resumed': 'A stop is over; signed.',
  'shadow.changed': 'A bundle is to be tried beside the active one, or no longer; signed.',
}

const sessionKey: JsonSchema = {
  type: 'string',
  description: 'The session id. Partitioner: murmur2, as in Kafka’s Java clients.',
}
const tenantHeaders: JsonSchema = {
  type: 'object',
  properties: {
    [TENANT_HEADER]: { type: 'string', description: 'The tenant of the session. Nothing is decided by it.' },
  },
}

/** Every kind of record, with examples from `samples`. */
export function messagesOf(samples: Samples): readonly Message[] {
  return [
    ...eventMessages(samples),
    ...controlMessages(samples),
    ...answerMessages(samples),
    ...registryMessages(samples),
    shadowMessage(samples),
  ]
}

function eventMessages({ events }: Samples): Message[] {
  return eventSchema.options.map((option) => {
    const type = option.shape.type.value
    return {
      name: nameOf(type),
      channel: 'events' as const,
      title: type,
      summary: EVENT_SUMMARIES[type],
      key: sessionKey,
      headers: tenantHeaders,
      payload: toJsonSchema(option, 'draft-07'),
      correlationId: { location: '$message.payload#/id', description: 'The id of the event.' },
      examples: events.filter((event) => event.type === type).map((payload) => ({ payload })),
    }
  })
}

function controlMessages({ controls }: Samples): Message[] {
  return controlSchema.options.map((option) => {
    const type = option.shape.type.value
    return {
      name: nameOf(type),
      channel: 'events' as const,
      title: type,
      summary: CONTROL_SUMMARIES[type],
      key: {
        type: 'string',
        pattern: String.raw`^#\d+$`,
        description: '`#` and the smallest number that the partitioner places in the partition.',
      },
      payload: toJsonSchema(option, 'draft-07'),
      examples: controls.filter((control) => control.type === type).map((payload) => ({ payload })),
    }
  })
}

function answerMessages({ decisions, events }: Samples): Message[] {
  const header = (description: string): JsonSchema => ({ type: 'string', description })
  const codes = Object.entries(ERRORS).flatMap(([code, { kind }]) => (kind === 'event' ? [code] : []))
  const [late] = events
  return [
    {
      name: 'decision',
      channel: 'decisions',
      title: 'decision',
      summary:
        'The answer to a proposal, or to the approval of one; or an alert, which answers nobody. Published at least once: keep the first of each id.',
      key: sessionKey,
      headers: tenantHeaders,
      payload: toJsonSchema(CONTRACTS.decision.schema, 'draft-07'),
      correlationId: {
        location: '$message.payload#/eventId',
        description: 'The id of the event that it answers.',
      },
      examples: Object.entries(decisions).map(([name, payload]) => ({ name, payload })),
    },
    {
      name: 'deadLetter',
      channel: 'deadLetters',
      title: 'dead letter',
      summary: 'A record of the events topic that could not be judged, as it was; why is in its headers.',
      key: { type: 'string', description: 'That of the record.' },
      headers: {
        type: 'object',
        required: [
          DEAD_LETTER_HEADERS.code,
          DEAD_LETTER_HEADERS.message,
          DEAD_LETTER_HEADERS.topic,
          DEAD_LETTER_HEADERS.partition,
          DEAD_LETTER_HEADERS.offset,
        ],
        properties: {
          [DEAD_LETTER_HEADERS.code]: { type: 'string', enum: codes },
          [DEAD_LETTER_HEADERS.message]: header('One line.'),
          [DEAD_LETTER_HEADERS.topic]: header('Where the record lies.'),
          [DEAD_LETTER_HEADERS.partition]: header('Where the record lies.'),
          [DEAD_LETTER_HEADERS.offset]: header('Where the record lies.'),
          [DEAD_LETTER_HEADERS.cutFrom]: header('Bytes of the value, where only its beginning is here.'),
          [DEAD_LETTER_HEADERS.keyCutFrom]: header('Bytes of the key, where it was too long to be kept.'),
        },
      },
      contentType: 'application/octet-stream',
      payload: { description: 'The value of the record, whatever it was.' },
      examples: [
        {
          headers: {
            [DEAD_LETTER_HEADERS.code]: 'session_state_lost',
            [DEAD_LETTER_HEADERS.message]: 'session `acme~run-7` has no record',
            [DEAD_LETTER_HEADERS.topic]: 'plimsoll.events',
            [DEAD_LETTER_HEADERS.partition]: '3',
            [DEAD_LETTER_HEADERS.offset]: '1234',
          },
          payload: late,
        },
      ],
    },
  ]
}

function shadowMessage({ shadow }: Samples): Message {
  return {
    name: 'shadowRecord',
    channel: 'shadow',
    title: 'shadow record',
    summary: CONTRACTS['shadow-record'].description,
    key: sessionKey,
    headers: tenantHeaders,
    payload: toJsonSchema(CONTRACTS['shadow-record'].schema, 'draft-07'),
    correlationId: {
      location: '$message.payload#/decisionId',
      description: 'The id of the decision on the same step.',
    },
    examples: [{ payload: shadow }],
  }
}

function registryMessages({ controls, report }: Samples): Message[] {
  const catalogue = catalogueSchema.parse({
    schema: 1,
    kind: 'plimsoll.catalogue',
    name: 'ours',
    tools: [
      {
        tools: ['get_invoice'],
        labels: {
          capability: 'read',
          confidentiality: 'sensitive',
          trust: 'trusted',
          reversibility: 'reversible',
        },
      },
    ],
  })
  const versionKey: JsonSchema = {
    type: 'string',
    pattern: '^[0-9a-f]{32}$',
    description: `The version of the document: the first 32 hex digits of the SHA-256 of its canonical JSON; of the example \`${versionOf(catalogue)}\`.`,
  }
  const documents = (['bundle', 'policy', 'catalogue'] as const).map((name) => ({
    name,
    channel: 'registry' as const,
    title: name,
    summary: CONTRACTS[name].description,
    key: versionKey,
    payload: toJsonSchema(CONTRACTS[name].schema, 'draft-07'),
    examples: name === 'catalogue' ? [{ payload: catalogue }] : [],
  }))
  return [
    ...documents,
    {
      name: 'controlAudit',
      channel: 'registry',
      title: 'control change, audited',
      summary: 'What an operator changed, when and why.',
      key: { type: 'string', pattern: '^control/', description: '`control/` and the id of the change.' },
      payload: toJsonSchema(controlSchema, 'draft-07'),
      examples: controls.slice(0, 1).map((control) => ({ payload: { ...control, partition: null } })),
    },
    {
      name: 'partitionReport',
      channel: 'registry',
      title: 'partition report',
      summary: CONTRACTS['registry-report'].description,
      key: {
        type: 'string',
        pattern: String.raw`^partition/\d+$`,
        description: '`partition/` and its number.',
      },
      payload: toJsonSchema(CONTRACTS['registry-report'].schema, 'draft-07'),
      examples: [{ payload: report }],
    },
  ]
}

const nameOf = (type: string) => type.replace(/\.(.)/, (_, letter: string) => letter.toUpperCase())
