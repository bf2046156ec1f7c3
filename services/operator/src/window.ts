import { PlimsollError } from '@plimsoll/contracts'
import type { EventLog } from '@plimsoll/runtime'

/** Which records of a topic are read. */
export interface Window {
  /** Records appended then or later, milliseconds since 1970; all where it is left out. */
  readonly fromMs?: number | undefined
  /** Records appended before; up to the topic's end where it is left out. */
  readonly toMs?: number | undefined
  /** Of this partition alone. */
  readonly partition?: number | undefined
}

/** As `EventLog.read` takes it. */
export interface Range {
  readonly partition: number
  readonly from: bigint
  /** Exclusive. */
  readonly to: bigint
}

/** The ranges of `topic` that hold what was appended in the window; none that would be empty. Throws `config_invalid` without the topic. */
export async function rangesOf(
  log: Pick<EventLog, 'describe' | 'offsetAt'>,
  topic: string,
  { fromMs, toMs, partition }: Window,
): Promise<readonly Range[]> {
  const described = await log.describe(topic)
  if (!described)
    throw new PlimsollError('config_invalid', `no topic \`${topic}\`: \`plimsoll doctor --create\` makes it`)
  const asked = described.filter((each) => partition === undefined || each.partition === partition)
  const ranges = await Promise.all(
    asked.map(async ({ partition, firstOffset, nextOffset }) => {
      const at = async (timeMs: number | undefined, otherwise: bigint) =>
        timeMs === undefined ? otherwise : ((await log.offsetAt(topic, partition, timeMs)) ?? nextOffset)
      const [from, to] = await Promise.all([at(fromMs, firstOffset), at(toMs, nextOffset)])
      return { partition, from, to }
    }),
  )
  return ranges.filter(({ from, to }) => from < to)
}
