import type { Step } from '../../../src/api.js'
import { RiskGauge } from '../parts/risk-gauge.js'
import { counted, percent } from '../text/format.js'
import { EXPOSURE_WORDS, TAINT_WORDS } from '../text/words.js'

interface Fact {
  readonly name: string
  readonly now: string | undefined
  readonly before: string | undefined
}

/** What the session had read, done and risked at the cursor, and what the step at it changed. */
export function StateCard({
  known,
  isEnd,
  thresholds,
}: {
  readonly known: readonly Step[]
  readonly isEnd: boolean
  readonly thresholds: readonly number[]
}) {
  const judged = known.filter(({ level }) => level !== undefined)
  const now = judged.at(-1)
  const before = isEnd ? now : judged.at(-2)
  const title = isEnd ? 'At the end' : 'When this step was decided'
  return (
    <section class="state-card" aria-labelledby="state-title">
      <h2 id="state-title">{title}</h2>
      {now === undefined ? (
        <p class="muted">No risk is known yet.</p>
      ) : (
        <>
          {now.probability !== undefined && (
            <p class="odds">
              <RiskGauge probability={now.probability} band={now.band ?? 0} thresholds={thresholds} />{' '}
              <span class="muted">chance of a violation within {now.horizon ?? 'the next'} steps</span>
            </p>
          )}
          <dl>
            {factsOf(now, before).map((fact) => (
              <FactRow key={fact.name} {...fact} />
            ))}
          </dl>
        </>
      )}
    </section>
  )
}

function FactRow({ name, now, before }: Fact) {
  if (now === undefined) return null
  const isNew = before !== undefined && before !== now
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {isNew ? <b>{now}</b> : now}
        {isNew && <span class="muted"> (before: {before})</span>}
      </dd>
    </div>
  )
}

const factsOf = (now: Step, before: Step | undefined): readonly Fact[] =>
  FACTS.map(([name, of]) => ({ name, now: of(now), before: before && of(before) }))

const FACTS: readonly (readonly [string, (step: Step) => string | undefined])[] = [
  ['Has read', ({ exposure }) => exposure && (EXPOSURE_WORDS[exposure] ?? exposure)],
  ['Trust of what was read', ({ taint }) => taint && (TAINT_WORDS[taint] ?? taint)],
  ['Has done', ({ escalation }) => escalation?.replaceAll('_', ' ')],
  ['Can be undone', ({ reversibility }) => reversibility],
  ['Risk level', ({ level }) => level],
  ['Thresholds passed', ({ band }) => (band === undefined ? undefined : String(band))],
  [
    'Chance that the step is the violation',
    ({ hazard }) => (hazard === undefined ? undefined : percent(hazard)),
  ],
  [
    'Point of no return',
    ({ pointOfNoReturn }) =>
      pointOfNoReturn === undefined ? 'not reached' : `within ${counted(pointOfNoReturn, 'step')}`,
  ],
]
