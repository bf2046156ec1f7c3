/** The settings of a test broker beside its addresses, wherever it runs: one node, quick to be ready, strict about topics. */
const common: Readonly<Record<string, string>> = {
  'process.roles': 'broker,controller',
  'node.id': '1',
  'controller.listener.names': 'CONTROLLER',
  'inter.broker.listener.name': 'BROKER',
  'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,BROKER:PLAINTEXT,CONTROLLER:PLAINTEXT',
  'auto.create.topics.enable': 'false',
  'offsets.topic.replication.factor': '1',
  'offsets.topic.num.partitions': '4',
  'transaction.state.log.replication.factor': '1',
  'transaction.state.log.min.isr': '1',
  'transaction.state.log.num.partitions': '4',
  'share.coordinator.state.topic.replication.factor': '1',
  'share.coordinator.state.topic.min.isr': '1',
  // A test's only consumer need not wait for others to join, and its death is to be noticed within the test.
  'group.initial.rebalance.delay.ms': '0',
  'group.min.session.timeout.ms': '500',
  // A killed broker is let in again only when the session of its former life has ended; a starved one must not lose its own.
  'broker.session.timeout.ms': '9000',
  'broker.heartbeat.interval.ms': '500',
  'log.cleaner.dedupe.buffer.size': '16777216',
}

export interface Listener {
  readonly bind: string
  readonly port: number
  /** What others connect to; `bind:port` if not given. */
  readonly advertised?: string
}

export type ListenerName = 'PLAINTEXT' | 'BROKER' | 'CONTROLLER'

export function kafkaSettings(
  listeners: Readonly<Record<ListenerName, Listener>>,
): Readonly<Record<string, string>> {
  const names: readonly ListenerName[] = ['PLAINTEXT', 'BROKER', 'CONTROLLER']
  const own = (name: ListenerName) => `${listeners[name].bind}:${listeners[name].port}`
  const advertised = (name: ListenerName) => listeners[name].advertised ?? own(name)
  return {
    ...common,
    listeners: names.map((name) => `${name}://${own(name)}`).join(','),
    'advertised.listeners': names.map((name) => `${name}://${advertised(name)}`).join(','),
    'controller.quorum.voters': `1@${advertised('CONTROLLER')}`,
  }
}

export const asProperties = (settings: Readonly<Record<string, string>>): string =>
  Object.entries(settings)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')

/** The container image reads its settings as `KAFKA_` and the name in capitals with `_` for `.`. */
export const asEnvironment = (settings: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [
      `KAFKA_${name.toUpperCase().replaceAll('.', '_')}`,
      value,
    ]),
  )
