import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Step } from '../../../src/api.js'
import { useListKeys } from '../parts/list-keys.js'
import { sessionLink } from '../parts/route.js'
import { count } from '../text/format.js'
import { type Lane, flowsOf, lanesOf } from './flows.js'
import { nameOf, placeOf } from './step-names.js'
import { StepItem } from './step-item.js'

/** Steps drawn at first: the latest. */
const SHOWN_AT_FIRST = 60

const NO_LANES: readonly Lane[] = []
const NO_THRESHOLDS: readonly number[] = []

export function Timeline({
  sessionId,
  tenant,
  steps,
  isCut,
  thresholds = NO_THRESHOLDS,
  current,
  linkOf = sessionLink,
  isLatestFirst = false,
}: {
  readonly sessionId: string
  readonly tenant: string
  readonly steps: readonly Step[]
  /** Whether there were steps before these. */
  readonly isCut: boolean
  readonly thresholds?: readonly number[] | undefined
  /** The step that the address names. */
  readonly current: string | undefined
  /** To a step of the session. */
  readonly linkOf?: (sessionId: string, step: string) => string
  /** Whether the latest step is on top; the page then does not scroll to the current step. */
  readonly isLatestFirst?: boolean
}) {
  const list = useRef<HTMLOListElement>(null)
  const [extra, setExtra] = useState(0)
  const lanes = useMemo(() => lanesOf(flowsOf(steps), steps.length), [steps])
  useListKeys(list, 'a.number')
  const named = placeOf(steps, current)
  const latest = Math.max(0, steps.length - SHOWN_AT_FIRST - extra)
  const from = named >= 0 ? Math.min(latest, named) : latest
  useEffect(() => {
    if (named < 0 || isLatestFirst) return
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
      <ol
        ref={list}
        class={!isLatestFirst && lanes.some((beside) => beside.length > 0) ? 'with-lanes' : undefined}
      >
        {inOrder(from, steps.length, isLatestFirst).flatMap((at) => {
          const step = steps[at]
          if (step === undefined) return []
          const name = nameOf(steps, at)
          return (
            <StepItem
              key={step.eventId}
              tenant={tenant}
              step={step}
              href={linkOf(sessionId, name)}
              before={steps[at - 1]}
              lanes={lanes[at] ?? NO_LANES}
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

/** The places from `from` up to `end`, the last one first if `isLatestFirst`. */
function inOrder(from: number, end: number, isLatestFirst: boolean): readonly number[] {
  const places = Array.from({ length: end - from }, (_, index) => from + index)
  return isLatestFirst ? places.toReversed() : places
}
