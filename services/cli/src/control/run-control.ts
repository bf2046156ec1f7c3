import { checkKafkaSettings, parseConfig } from '@plimsoll/runtime'
import type { Context, ExitCode } from '../command.js'
import { within } from '../pipeline/within.js'
import { withoutEnvelope } from './control-text.js'
import { openDesk, type ControlDesk } from './desk.js'
import { operatorOf, type ControlValues } from './options.js'
import { sentText } from './outcome-text.js'
import { sendControl, type WantedControl } from './send-control.js'
import { controlSettings } from './settings.js'

/** What a command changes; who changes it and why is the same for all. */
export type Change = ChangeOf<WantedControl>
type ChangeOf<W> = W extends WantedControl ? Omit<W, 'by' | 'reason'> : never

/** What is wanted, once it is known what stands. */
export type ChangeFor = (desk: ControlDesk, signal: AbortSignal) => Change | Promise<Change>

/**
 * Sends the change that `changeFor` makes and tells what became of it. Fails where a partition has refused it or told nothing.
 */
export async function runControl(
  { by, reason, wait, json }: ControlValues,
  context: Context,
  changeFor: ChangeFor,
): Promise<ExitCode> {
  const config = parseConfig(controlSettings, context.env, { prefixes: [], checks: [checkKafkaSettings] })
  const who = { by: operatorOf(by, config.user), ...(reason !== undefined && { reason }) }
  return within(async (onRelease) => {
    const desk = await openDesk(config, context, onRelease)
    const wanted = { ...(await changeFor(desk, context.signal)), ...who }
    const sent = await sendControl(desk, wanted, wait * 1000, context.signal)
    const { text, failures } = sentText(sent, { waitSeconds: wait, group: config.group })
    const figures = { control: withoutEnvelope(sent.control), partitions: sent.outcomes }
    context.stdout.write(json ? `${JSON.stringify(figures)}\n` : text)
    for (const failure of failures) context.stderr.write(`plimsoll: ${failure}\n`)
    return failures.length > 0 ? 1 : 0
  })
}
