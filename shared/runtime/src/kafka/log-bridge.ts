import { logLevel, type KafkaConfig, type LogEntry } from 'kafkajs'
import type { LogFields, Logger } from '../logger.js'

/** Of no use in a line of ours: it has a time, and a stack within kafkajs tells an operator nothing. */
const LEFT_OUT = new Set(['message', 'timestamp', 'logger', 'stack', 'groupProtocol', 'memberAssignment'])

/** Where kafkajs calls each attempt of many an error. What comes of them is said by our own code, once. */
const ATTEMPTS = new Set(['Connection', 'RequestQueue', 'BrokerPool', 'Consumer', 'Runner', 'Producer'])

/** Has kafkajs log through `logger`. */
export function bridgeLogs(logger: Logger): Pick<KafkaConfig, 'logLevel' | 'logCreator'> {
  return {
    logLevel: logLevel.INFO,
    logCreator: () => (entry) => write(logger, entry),
  }
}

function write(logger: Logger, { level, namespace, log }: LogEntry): void {
  const kept = Object.entries(log).filter(([name]) => !LEFT_OUT.has(name))
  const fields: LogFields = {
    component: `kafkajs${namespace && `.${namespace}`}`,
    ...Object.fromEntries(kept),
  }
  if (level > logLevel.WARN || ATTEMPTS.has(namespace)) logger.debug(log.message, fields)
  else logger.warn(log.message, fields)
}
