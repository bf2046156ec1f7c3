import { topicsOf } from '@plimsoll/contracts'
import { topicSpecs } from '@plimsoll/runtime'
import { messagesOf, type Channel, type Message } from './asyncapi-messages.js'
import type { Samples } from '../samples.js'
import { OPERATIONS, type Operation } from './asyncapi-operations.js'

const BINDING = { bindingVersion: '0.5.0' }
const TOPICS = topicsOf()

const CHANNELS: Readonly<Record<Channel, string>> = {
  events:
    'Everything that can change a verdict, in the order in which it is judged: what agents did, what humans and operators said.',
  decisions: 'The verdicts.',
  deadLetters: 'Events that could not be judged. Nothing is dropped in silence.',
  registry:
    'Documents by version, the audit of control changes, and what each partition made of the latest. One partition.',
  shadow:
    'Steps on which a candidate in shadow differs from the bundle that judges: for those who try it, and of no effect.',
}

/** The AsyncAPI 3 document of the five topics: what lies in them, by which keys and headers, and who sends and receives what. */
export function asyncApiDocument(samples: Samples, version: string): object {
  const messages = messagesOf(samples)
  return {
    asyncapi: '3.0.0',
    id: 'urn:plimsoll',
    info: {
      title: 'Plimsoll',
      version,
      license: { name: 'Apache-2.0' },
      description: [
        'Verdicts on the tool calls of agents, before they run. Agents write events; monitors answer each proposed step with a decision.',
        'Made from the schemas that the services themselves check with: `npm run reference`. What JSON Schema cannot say stands in `$comment`.',
        'Lengths are counted in Unicode characters.',
      ].join('\n'),
    },
    defaultContentType: 'application/json',
    servers: {
      kafka: { host: 'localhost:9092', protocol: 'kafka', description: 'The Kafka of the deployment.' },
    },
    channels: Object.fromEntries(channelNames().map((channel) => [channel, channelOf(channel, messages)])),
    operations: Object.fromEntries(
      Object.entries(OPERATIONS).map(([name, operation]) => [name, operationOf(operation)]),
    ),
    components: {
      schemas: Object.fromEntries(messages.map(({ name, payload }) => [name, payload])),
      messages: Object.fromEntries(messages.map((message) => [message.name, componentOf(message)])),
    },
  }
}

const channelNames = () => Object.keys(CHANNELS) as Channel[]

function channelOf(channel: Channel, messages: readonly Message[]): object {
  const topic = TOPICS[channel]
  const config = topicSpecs(TOPICS, { partitions: 1 }).find((spec) => spec.topic === topic)?.config
  const isCompacted = config?.['cleanup.policy'] === 'compact'
  const own = messages.filter((message) => message.channel === channel)
  return {
    address: topic,
    description: `${CHANNELS[channel]} The name begins with \`PLIMSOLL_TOPIC_PREFIX\`.`,
    messages: Object.fromEntries(own.map(({ name }) => [name, { $ref: `#/components/messages/${name}` }])),
    bindings: {
      kafka: {
        topicConfiguration: {
          'cleanup.policy': [isCompacted ? 'compact' : 'delete'],
          'message.timestamp.type': 'LogAppendTime',
        },
        ...(isCompacted && { partitions: 1 }),
        ...BINDING,
      },
    },
  }
}

function componentOf({
  name,
  title,
  summary,
  key,
  headers,
  contentType,
  correlationId,
  examples,
}: Message): object {
  return {
    name,
    title,
    summary,
    ...(contentType && { contentType }),
    ...(correlationId && { correlationId }),
    ...(headers && { headers }),
    payload: { $ref: `#/components/schemas/${name}` },
    bindings: { kafka: { key, ...BINDING } },
    ...(examples.length > 0 && { examples }),
  }
}

function operationOf({ by, action, channel, summary, messages, group, reply }: Operation): object {
  const refs = (of: Channel, names: readonly string[]) =>
    names.map((name) => ({ $ref: `#/channels/${of}/messages/${name}` }))
  return {
    action,
    summary,
    tags: [{ name: by }],
    channel: { $ref: `#/channels/${channel}` },
    messages: refs(channel, messages),
    ...(group && { bindings: { kafka: { groupId: { type: 'string', enum: [group] }, ...BINDING } } }),
    ...(reply && {
      reply: {
        channel: { $ref: `#/channels/${reply.channel}` },
        messages: refs(reply.channel, reply.messages),
      },
    }),
  }
}
