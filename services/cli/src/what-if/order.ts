import { PlimsollError } from '@plimsoll/contracts'

/** What `replay` was asked, as far as it says which kind of a replay is meant. */
export interface Asked {
  readonly policy: string | undefined
  readonly against: string | undefined
  readonly catalogue: readonly string[]
  readonly html: string | undefined
  readonly topic: boolean
  readonly since: number | undefined
  readonly without: readonly string[]
  readonly fold: number | undefined
  readonly model: string | undefined
  readonly via: string
  readonly ablation: boolean
  readonly 'no-monitor': boolean
  readonly run: string | undefined
  readonly 'category-from': string
}

/**
 * What is of no use in the one kind of a replay is refused: it would be passed over.
 *
 * @throws PlimsollError `usage_invalid`
 */
export function assertOneKind(asked: Asked, files: readonly string[]): void {
  const refused = asked.policy === undefined ? ofWhatIf(asked) : ofPlay(asked)
  if (refused.length > 0)
    throw new PlimsollError(
      'usage_invalid',
      `${refused.join(', ')} ${asked.policy === undefined ? 'goes with' : 'does not go with'} \`--policy\``,
    )
  if (asked.topic) return assertLogged(asked, files)
  if (asked.since !== undefined) throw new PlimsollError('usage_invalid', '`--since` goes with `--topic`')
  if (files.length === 0) throw new PlimsollError('usage_invalid', '`--traces` is missing')
}

/** The log has its own sessions, told as their clients told them, under the bundle and the catalogue that they were pinned to. */
function assertLogged({ without, fold, model, catalogue }: Asked, files: readonly string[]): void {
  const refused = named({
    traces: files.length > 0,
    without: without.length > 0,
    fold: fold !== undefined,
    model: model !== undefined,
    catalogue: catalogue.length > 0,
  })
  if (refused.length > 0)
    throw new PlimsollError('usage_invalid', `${refused.join(', ')} does not go with \`--topic\``)
}

const named = (given: Readonly<Record<string, boolean>>): string[] =>
  Object.entries(given).flatMap(([name, isGiven]) => (isGiven ? [`\`--${name}\``] : []))

const ofWhatIf = ({ against, catalogue, html, topic }: Asked): string[] =>
  named({
    against: against !== undefined,
    catalogue: catalogue.length > 0,
    html: html !== undefined,
    topic,
  })

const ofPlay = (asked: Asked): string[] =>
  named({
    'via kafka': asked.via === 'kafka',
    ablation: asked.ablation,
    'no-monitor': asked['no-monitor'],
    run: asked.run !== undefined,
    'category-from none': asked['category-from'] === 'none',
  })
