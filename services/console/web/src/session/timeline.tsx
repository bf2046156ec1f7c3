import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Step } from '../../../src/api.js'
import { useListKeys } from '../parts/list-keys.js'
import { count } from '../text/format.js'
import { flowsOf, lanesOf } from './flows.js'
import { nameOf, placeOf } from './step-names.js'
import { StepItem } from './step-item.js'

/** Steps drawn at first: the latest. */
const SHOWN_AT_FIRST = 60

const NO_THRESHOLDS: readonly number[] = []

export function Timeline({
  sessionId,
  tenant,
  steps,
  isCut,
  thresholds = NO_THRESHOLDS,
  current,
}: {
  readonly sessionId: string
  readonly tenant: string
  readonly steps: readonly Step[]
  /** Whether there were steps before these. */
  readonly isCut: boolean
  readonly thresholds?: readonly number[] | undefined
  /** The step that the address names. */
  readonly current: string | undefined
}) {
  const list = useRef<HTMLOListElement>(null)
  const [extra, setExtra] = useState(0)
  const lanes = useMemo(() => lanesOf(flowsOf(steps), steps.length), [steps])
  useListKeys(list, 'a.number')
  const named = placeOf(steps, current)
  const latest = Math.max(0, steps.length - SHOWN_AT_FIRST - extra)
  const from = named >= 0 ? Math.min(latest, named) : latest
  useEffect(() => {
    if (named < 0) return
    list.current?.querySelector('.current')?.scrollIntoView({ block: 'center' })
  }, [current, named >= 0])

  return (
    <section class="timeline" aria-labelledby="timeline-title">
      <h2 id="timeline-title">
        Steps <span class="muted count">{count(steps.length)}</span>
      </h2>
      {isCut && from === 0 && <p class="muted">Earlier steps are not kept here.</p>}
      {from > 0 && (
        <button type="button" onClick={() => setExtra(extra + SHOWN_AT_FIRST * 4)}>
          Show earlier steps ({count(from)})
        </button>
      )}
      <ol ref={list} class={lanes.some((beside) => beside.length > 0) ? 'with-lanes' : undefined}>
        {steps.slice(from).map((step, index) => {
          const at = from + index
          return (
            <StepItem
              key={step.eventId}
              sessionId={sessionId}
              tenant={tenant}
              step={step}
              name={nameOf(steps, at)}
              before={steps[at - 1]}
              lanes={lanes[at] ?? []}
              thresholds={thresholds}
              isCurrent={at === named}
            />
          )
        })}
      </ol>
      {steps.length === 0 && <p class="muted">No step yet.</p>}
    </section>
  )
}
