import type { Consumer } from 'kafkajs'

/**
 * Calls `onHeard` at each sign that the coordinator counts the member in, and has `consumer` look for its coordinator and join anew where
 * there was none for `silenceMsMax`. `isIn` tells whether the last attempt to join has ended well.
 *
 * kafkajs looks for another coordinator only when the one it knows answers that it is none any more; one that has died it asks again until
 * its retries are used up, and the consumer that then takes its place would have to wait until the group has missed the old one. After an
 * attempt to join that has failed on the way it goes on as the member that it was: its heartbeats are then no sign of an assignment.
 *
 * What a listener throws goes to whoever runs the fetch loop, and this error is one on which kafkajs joins again as the same member.
 */
export function watchCoordinator(
  consumer: Consumer,
  silenceMsMax: number,
  isIn: () => boolean,
  onHeard: () => void,
): void {
  let heardAt = Infinity
  const heard = () => {
    if (!isIn()) return
    heardAt = performance.now()
    onHeard()
  }
  consumer.on(consumer.events.GROUP_JOIN, heard)
  consumer.on(consumer.events.HEARTBEAT, heard)
  consumer.on(consumer.events.FETCH_START, () => {
    if (performance.now() - heardAt < silenceMsMax) return
    heardAt = performance.now()
    throw Object.assign(new Error('the coordinator is silent'), { type: 'NOT_COORDINATOR_FOR_GROUP' })
  })
}
