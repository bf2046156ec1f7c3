import type { SessionPage, Step } from '../../../src/api.js'
import { ReasonList } from '../parts/reason-list.js'
import { useKeys } from '../parts/keys.js'
import { FLEET_LINK, controlsLink, policyLink, replayLink, sessionLink } from '../parts/route.js'
import { SessionFlags } from '../parts/session-flags.js'
import { ShownText } from '../parts/shown-text.js'
import { QuestionCard } from '../queue/question-card.js'
import { counted, isoTime, percent, timeOfDay } from '../text/format.js'
import { EXPOSURE_WORDS, TAINT_WORDS } from '../text/words.js'
import { NoSession } from './no-session.js'
import { RiskCurve } from './risk-curve.js'
import { nameOf } from './step-names.js'
import { Notes } from './session-notes.js'
import { SessionTree } from './session-tree.js'
import { Timeline } from './timeline.js'
import { useSession } from './use-session.js'

export function SessionView({
  sessionId,
  step,
}: {
  readonly sessionId: string
  readonly step: string | undefined
}) {
  const state = useSession(sessionId)
  useKeys({ v: () => location.assign(replayLink(sessionId, step)) })
  if (state.kind !== 'shown') return <NoSession sessionId={sessionId} state={state} />
  const { page } = state
  const forward = page.thresholds?.forward ?? []
  const openStep = (place: number) => location.assign(sessionLink(sessionId, nameOf(page.steps, place)))
  return (
    <>
      <SessionHead page={page} />
      <div class="columns">
        <div class="course">
          {page.questions.map((question, at) => (
            <QuestionCard key={question.decisionId} questions={[question]} isInSession hasKeys={at === 0} />
          ))}
          {page.questions.length === 0 && <Why page={page} />}
          <RiskCurve steps={page.steps} thresholds={page.thresholds} onStep={openStep} />
          <Timeline
            sessionId={sessionId}
            tenant={page.session.tenant}
            steps={page.steps}
            isCut={page.isCut}
            thresholds={forward}
            current={step}
          />
        </div>
        <aside aria-label="About the session">
          <About page={page} />
          <SessionTree session={page.session} relatives={page.relatives} thresholds={forward} />
          <Notes notes={page.notes} />
        </aside>
      </div>
    </>
  )
}

function SessionHead({ page: { session, task } }: { readonly page: SessionPage }) {
  const { id, agent, probability, horizon, ended } = session
  return (
    <header class="session-head">
      <p class="path">
        <a href={FLEET_LINK}>Fleet</a> <span class="muted">/</span>{' '}
        <code>
          <ShownText text={id} charsMax={120} />
        </code>
      </p>
      <h1>
        <ShownText text={agent ?? id} charsMax={120} /> {ended && <span class="flag plain">ended</span>}{' '}
        <SessionFlags row={session} />{' '}
        <a class="to-replay" href={replayLink(id)}>
          Replay <kbd>v</kbd>
        </a>
      </h1>
      {task !== undefined && (
        <p class="task">
          <span class="muted">Task:</span> <ShownText text={task} charsMax={600} />
        </p>
      )}
      {probability !== undefined && (
        <p class={`chance band-${session.band}`}>
          <b>{percent(probability)}</b>
          <span class="muted">
            chance of a violation
            <br />
            within {horizon ?? 'the next'} steps
          </span>
        </p>
      )}
    </header>
  )
}

/** The latest step that did not simply run, and why. */
function Why({ page: { session, steps } }: { readonly page: SessionPage }) {
  const chief = chiefStep(steps)
  if (chief === undefined) return null
  const first = chief.firstVerdict ?? chief.verdict
  return (
    <section class={`why ${first}`} aria-labelledby="why-title">
      <h2 id="why-title">
        Step <a href={sessionLink(session.id, chief.eventId)}>{chief.step}</a>{' '}
        <code>
          <ShownText text={chief.tool} charsMax={80} />
        </code>{' '}
        {first === 'block' ? 'was blocked' : first === 'confirm' ? 'needed a human' : 'ran with a warning'}
      </h2>
      <ReasonList reasons={chief.reasons.filter(({ verdict }) => verdict !== 'allow')} />
      {chief.alternative !== undefined && (
        <p class="alternative">
          <b>Instead:</b> <ShownText text={chief.alternative} />
        </p>
      )}
    </section>
  )
}

function chiefStep(steps: readonly Step[]): Step | undefined {
  const latest = (verdict: Step['verdict']) =>
    steps.findLast((step) => (step.firstVerdict ?? step.verdict) === verdict)
  return latest('block') ?? latest('confirm') ?? latest('warn')
}

function About({ page: { session, versions, thresholds } }: { readonly page: SessionPage }) {
  const { verdicts, exposure, taint } = session
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Tenant', session.tenant],
    ['Category', session.category],
    ['Client', session.client],
    ['Risk level', session.level],
    ['Has read', exposure && (EXPOSURE_WORDS[exposure] ?? exposure)],
    ['Trust', taint && (TAINT_WORDS[taint] ?? taint)],
    [
      'Steps',
      `${session.steps}: ${verdicts.allow} allow, ${verdicts.warn} warn, ${verdicts.confirm} confirm, ${verdicts.block} block`,
    ],
    ['Violations', session.violations > 0 ? counted(session.violations, 'step') : undefined],
    ['Thresholds', thresholds?.forward.map(percent).join(', ')],
    ['Policy', versions?.policy],
    ['Model bundle', versions?.bundle],
  ]
  return (
    <section class="about">
      <h2>Session</h2>
      <dl>
        {facts.map(
          ([name, value]) =>
            value !== undefined &&
            value !== '' && (
              <div key={name}>
                <dt>{name}</dt>
                <dd>
                  <ShownText text={value} charsMax={120} />
                </dd>
              </div>
            ),
        )}
        <div>
          <dt>Started</dt>
          <dd>
            <time dateTime={isoTime(session.startedAt)}>{timeOfDay(session.startedAt)}</time>
          </dd>
        </div>
      </dl>
      <p>
        <a href={controlsLink({ tenant: session.tenant, ...(session.agent && { agent: session.agent }) })}>
          Controls of {session.agent === undefined ? 'its tenant' : 'this agent'}
        </a>
        {versions !== undefined && (
          <>
            {' · '}
            <a href={policyLink(versions.policy)}>Its policy</a>
          </>
        )}
      </p>
    </section>
  )
}
