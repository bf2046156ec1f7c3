import type { Consumer } from 'kafkajs'

/**
 * Has `consumer` look for its coordinator anew where the one it knows has been silent for `silenceMsMax`. kafkajs does so by itself only
 * when a coordinator answers that it is none any more; one that has died it asks again until its retries are used up, and the consumer
 * that takes its place would have to wait until the group has missed the old one.
 *
 * What a listener throws goes to whoever runs the fetch loop, and this error is one on which kafkajs joins again as the same member.
 */
export function watchCoordinator(consumer: Consumer, silenceMsMax: number): void {
  let heardAt = Infinity
  const onHeard = () => {
    heardAt = performance.now()
  }
  consumer.on(consumer.events.GROUP_JOIN, onHeard)
  consumer.on(consumer.events.HEARTBEAT, onHeard)
  consumer.on(consumer.events.FETCH_START, () => {
    if (performance.now() - heardAt < silenceMsMax) return
    onHeard()
    throw Object.assign(new Error('the coordinator is silent'), { type: 'NOT_COORDINATOR_FOR_GROUP' })
  })
}
