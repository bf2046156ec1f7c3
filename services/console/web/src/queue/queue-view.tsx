import { useMemo, useRef } from 'preact/hooks'
import type { LiveAnswered, Question, QuestionGroup } from '../../../src/api.js'
import { useKeys } from '../parts/keys.js'
import { useListKeys } from '../parts/list-keys.js'
import { RiskGauge } from '../parts/risk-gauge.js'
import { QUEUE_LINK, questionLink, sessionLink } from '../parts/route.js'
import { ShownText } from '../parts/shown-text.js'
import { useSteadyOrder } from '../parts/steady-order.js'
import { count, counted, timeOfDay } from '../text/format.js'
import { QuestionCard } from './question-card.js'
import { TimeLeft } from './time-left.js'
import type { OpenQueue } from './use-queue.js'

/** @param decisionId the question that the address names; without it the first is shown, where there is room */
export function QueueView({
  queue,
  decisionId,
}: {
  readonly queue: OpenQueue
  readonly decisionId: string | undefined
}) {
  const byId = useMemo(() => new Map(queue.groups.map((group) => [group.id, group])), [queue.groups])
  const list = useRef<HTMLElement>(null)
  const { order, moved, sort } = useSteadyOrder([...byId.keys()], list)
  useKeys({ r: sort })
  const groups = order.flatMap((id) => byId.get(id) ?? [])
  const shown = useShown(groups, decisionId)

  return (
    <>
      <h1 class="visually-hidden">Queue</h1>
      <div class={decisionId === undefined ? 'columns' : 'columns named'}>
        <section ref={list} class="groups" aria-labelledby="groups-title">
          <div class="list-head">
            <h2 id="groups-title">
              Open questions <span class="muted count">{count(queue.count)}</span>
            </h2>
            {moved > 0 && (
              <button type="button" class="quiet sort" onClick={sort}>
                Sort now: {count(moved)} moved <kbd>r</kbd>
              </button>
            )}
          </div>
          <GroupList groups={groups} shownId={shown?.id} />
          {groups.length === 0 && (
            <p class="empty">{queue.isKnown ? 'Nobody waits for an answer.' : 'Fetching questions…'}</p>
          )}
        </section>
        <div class="detail">
          <a class="to-list" href={QUEUE_LINK}>
            All questions
          </a>
          <Detail shown={shown} answered={queue.answered} />
        </div>
      </div>
    </>
  )
}

interface Shown {
  /** The decision whose question is shown. */
  readonly id: string
  /** Undefined where it is open no more, or not known yet. */
  readonly questions: readonly Question[] | undefined
  /** As it was last seen. */
  readonly last: Question | undefined
}

/** The question that is shown stays the same until somebody opens another, also once it is answered. */
function useShown(groups: readonly QuestionGroup[], decisionId: string | undefined): Shown | undefined {
  const kept = useRef<{ readonly id: string; readonly last: Question | undefined } | undefined>(undefined)
  if (decisionId !== undefined && kept.current?.id !== decisionId)
    kept.current = { id: decisionId, last: undefined }
  if (decisionId === undefined && kept.current === undefined) {
    const first = groups[0]?.questions[0]
    if (first !== undefined) kept.current = { id: first.decisionId, last: first }
  }
  const { current } = kept
  if (current === undefined) return undefined
  const group = groups.find(({ questions }) => questions.some((each) => each.decisionId === current.id))
  if (group === undefined) return { ...current, questions: undefined }
  const last = group.questions.find((each) => each.decisionId === current.id)
  kept.current = { id: current.id, last }
  const others = group.questions.filter((each) => each.decisionId !== current.id)
  return { id: current.id, last, questions: last === undefined ? others : [last, ...others] }
}

function GroupList({
  groups,
  shownId,
}: {
  readonly groups: readonly QuestionGroup[]
  readonly shownId: string | undefined
}) {
  const list = useRef<HTMLOListElement>(null)
  useListKeys(list, 'a.open')
  return (
    <ol ref={list}>
      {groups.map(({ id, questions, probability, expiresAt }) => {
        const [first] = questions
        if (first === undefined) return null
        const isShown = questions.some(({ decisionId }) => decisionId === shownId)
        return (
          <li key={id}>
            <a class="open" href={questionLink(first.decisionId)} aria-current={isShown ? 'true' : undefined}>
              <span class="line">
                <code class="tool">
                  <ShownText text={first.tool} charsMax={60} />
                </code>
                {questions.length > 1 && <span class="flag question">{questions.length} identical</span>}
                <TimeLeft expiresAt={expiresAt} />
              </span>
              <span class="line message">
                <ShownText text={first.message} charsMax={160} />
              </span>
              <span class="line">
                <RiskGauge probability={probability} band={first.band} thresholds={[]} />
                <span class="muted who">
                  <ShownText text={first.agent ?? first.sessionId} charsMax={60} />
                </span>
              </span>
            </a>
          </li>
        )
      })}
    </ol>
  )
}

function Detail({
  shown,
  answered,
}: {
  readonly shown: Shown | undefined
  readonly answered: ReadonlyMap<string, LiveAnswered>
}) {
  if (shown === undefined) return null
  if (shown.questions !== undefined)
    return (
      <>
        <QuestionCard key={shown.id} questions={shown.questions} hasKeys />
        <Others questions={shown.questions.slice(1)} />
      </>
    )
  return <Gone last={shown.last} answered={answered.get(shown.id)} />
}

function Others({ questions }: { readonly questions: readonly Question[] }) {
  if (questions.length === 0) return null
  return (
    <section class="others">
      <h2>{counted(questions.length, 'identical question')} of other steps</h2>
      <ul>
        {questions.map(({ decisionId, sessionId, step, agent, expiresAt }) => (
          <li key={decisionId}>
            <a href={sessionLink(sessionId, decisionId)}>
              <ShownText text={agent ?? sessionId} charsMax={80} />, step {step}
            </a>{' '}
            <TimeLeft expiresAt={expiresAt} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** In place of a question that is open no more. */
function Gone({
  last,
  answered,
}: {
  readonly last: Question | undefined
  readonly answered: LiveAnswered | undefined
}) {
  const answer = answered?.answer
  return (
    <div class="gone" role="status">
      <h2>This question is open no more</h2>
      {answer !== undefined && (
        <p>
          {answer.resolution === 'approved' ? '✓ approved' : '✕ denied'} by{' '}
          <ShownText text={answer.by} charsMax={80} /> at {timeOfDay(answer.at)}
          {answer.reason !== undefined && (
            <>
              : “<ShownText text={answer.reason} charsMax={600} />”
            </>
          )}
        </p>
      )}
      {answered !== undefined && answer === undefined && <p>It was answered or has expired.</p>}
      {last !== undefined && (
        <p>
          <a href={sessionLink(last.sessionId, last.decisionId)}>
            See step {last.step} of <ShownText text={last.agent ?? last.sessionId} charsMax={80} />
          </a>
        </p>
      )}
    </div>
  )
}
