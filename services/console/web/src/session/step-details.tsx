import type { Provenance } from '@plimsoll/contracts'
import type { ComponentChildren } from 'preact'
import type { Step } from '../../../src/api.js'
import { AppealButton } from '../appeals/appeal-step.js'
import { ShownText } from '../parts/shown-text.js'
import { ArgumentLines } from '../parts/step-facts.js'
import { counted, percent } from '../text/format.js'
import { EXPOSURE_WORDS, TAINT_WORDS } from '../text/words.js'

const EVIDENCE_WORDS = {
  present: 'sensitive data that was read is in the arguments',
  absent: 'no sensitive data that was read is in the arguments',
  unknown: 'it is not known whether sensitive data is in the arguments',
} as const

/** What was proposed, in what state, and by which documents it was judged. */
export function StepDetails({ tenant, step }: { readonly tenant: string; readonly step: Step }) {
  const { hazard, probability, horizon, stepsToViolation, evidence, provenance, versions } = step
  return (
    <details>
      <summary>Arguments and details</summary>
      <ArgumentLines given={step.arguments} />
      <dl class="details">
        <Detail name="Chance that this step is the violation">
          {hazard !== undefined && percent(hazard)}
        </Detail>
        <Detail name={`Chance within ${horizon ?? 'the next'} steps`}>
          {probability !== undefined && percent(probability)}
        </Detail>
        <Detail name="Steps to a violation, if one comes">
          {stepsToViolation !== undefined && stepsToViolation.toFixed(1)}
        </Detail>
        <Detail name="Risk level">{step.level}</Detail>
        <Detail name="Has read">{step.exposure && (EXPOSURE_WORDS[step.exposure] ?? step.exposure)}</Detail>
        <Detail name="Trust of what was read">{step.taint && (TAINT_WORDS[step.taint] ?? step.taint)}</Detail>
        <Detail name="Has done">{step.escalation?.replace('_', ' ')}</Detail>
        <Detail name="Evidence">{evidence && EVIDENCE_WORDS[evidence]}</Detail>
        <Detail name="Values in the arguments">{provenance && provenanceWords(provenance)}</Detail>
        <Detail name="Policy">{versions && <Version text={versions.policy} />}</Detail>
        <Detail name="Model bundle">{versions && <Version text={versions.bundle} />}</Detail>
        <Detail name="Catalogue">{versions && <Version text={versions.catalogue} />}</Detail>
        <Detail name="Decision">{step.decisionId && <Version text={step.decisionId} />}</Detail>
      </dl>
      <AppealButton tenant={tenant} step={step} />
    </details>
  )
}

/** Nothing where it is not known. */
const Detail = ({ name, children }: { readonly name: string; readonly children: ComponentChildren }) =>
  children === undefined || children === false || children === '' ? null : (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )

const Version = ({ text }: { readonly text: string }) => (
  <code>
    <ShownText text={text} charsMax={120} />
  </code>
)

function provenanceWords(provenance: Provenance): string {
  const { values, task, trusted, untrusted, instructions, sensitive, nowhere } = provenance
  const parts: readonly (readonly [number, string])[] = [
    [task, 'in the task'],
    [trusted, 'from trusted results'],
    [untrusted, 'from untrusted results alone'],
    [instructions, 'from text that reads like instructions'],
    [sensitive, 'from sensitive data'],
    [nowhere, 'seen nowhere before'],
  ]
  const known = parts.filter(([number]) => number > 0).map(([number, where]) => `${number} ${where}`)
  return `${counted(values, 'distinctive value')}${known.length > 0 ? `: ${known.join(', ')}` : ''}`
}
