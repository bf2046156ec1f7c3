import { PlimsollError } from '@plimsoll/contracts'

/** What a call rejects with that Redis did not answer, or refused. */
export function unavailable(cause: Error): PlimsollError {
  // Trying again would not help: it would hold up whoever waits for the store for ever.
  if (/^(CROSSSLOT|MOVED)\b/.test(cause.message))
    return new PlimsollError('config_invalid', 'redis is a cluster: give the address of a single Redis', {
      cause,
    })
  // The message of ioredis for its own `maxRetriesPerRequest` speaks of a setting that is none of the operator's.
  const why = cause.name === 'MaxRetriesPerRequestError' ? 'the connection was lost' : cause.message
  return new PlimsollError('store_unavailable', `redis did not answer: ${why}`, { cause })
}
