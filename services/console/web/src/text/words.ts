import type {
  Capability,
  Exposure,
  Level,
  ReasonSource,
  Reversibility,
  Taint,
  Verdict,
} from '@plimsoll/contracts'
import type { StepEffect, StepLabels } from '../../../src/api.js'

/** The closed vocabularies in plain words. What is unknown here is shown as it is: a newer console may send more. */

export const VERDICTS: readonly Verdict[] = ['allow', 'warn', 'confirm', 'block']
export const LEVELS: readonly Level[] = ['safe', 'mild', 'elevated', 'critical', 'violated']
const EXPOSURES: readonly Exposure[] = ['none', 'public', 'internal', 'sensitive', 'credentials']

/** How much more sensitive than nothing; -1 where it is not known. */
export const exposureRank = (exposure: Exposure | undefined): number =>
  exposure === undefined ? -1 : EXPOSURES.indexOf(exposure)

export const EXPOSURE_WORDS: Readonly<Record<Exposure, string>> = {
  none: 'no data read',
  public: 'public data',
  internal: 'internal data',
  sensitive: 'sensitive data',
  credentials: 'credentials',
}

export const TAINT_WORDS: Readonly<Record<Taint, string>> = {
  none: 'nothing untrusted read',
  data: 'untrusted data read',
  instructions: 'untrusted instructions read',
}

const CAPABILITY_WORDS: Readonly<Record<Capability, string>> = {
  read: 'reads',
  write: 'writes',
  execute: 'runs code',
  network: 'uses the network',
}

const REVERSIBILITY_WORDS: Readonly<Record<Reversibility, string>> = {
  reversible: 'can be undone',
  partial: 'can be undone in part',
  irreversible: 'cannot be undone',
}

const REACH_WORDS: Readonly<Record<NonNullable<StepEffect['reach']>, string>> = {
  own: 'its own',
  project: 'of the project',
  shared: 'shared',
  live: 'in production',
  control: 'that controls access or agents',
  disposable: 'disposable',
}

/** An effect such as `delete table, in production`. */
export function effectWords({ act, object, reach, certainty }: StepEffect): string {
  const what = object === undefined ? act : `${act} ${object}`
  const where = reach === undefined ? '' : `, ${REACH_WORDS[reach] ?? reach}`
  return `${what}${where}${certainty === 'incomplete' ? ', perhaps more' : ''}`
}

/** The labels of a step, such as `uses the network`, `cannot be undone`. */
export function labelWords({ capability, confidentiality, trust, reversibility }: StepLabels): string[] {
  const word = (words: Readonly<Record<string, string>>, label: string) => words[label] ?? label
  return [
    ...(capability === undefined ? [] : [word(CAPABILITY_WORDS, capability)]),
    ...(confidentiality === undefined || confidentiality === 'none'
      ? []
      : [word(EXPOSURE_WORDS, confidentiality)]),
    ...(trust === undefined ? [] : [trust]),
    ...(reversibility === undefined ? [] : [word(REVERSIBILITY_WORDS, reversibility)]),
  ]
}

/** Where a reason comes from. */
export const SOURCE_WORDS: Readonly<Record<ReasonSource, string>> = {
  malformed: 'unreadable event',
  stop: 'stopped by an operator',
  blocklist: 'policy: blocked',
  flow: 'policy: data flow',
  mustlist: 'policy: something is owed first',
  line: 'sensitive data may leave',
  integrity: 'directed by untrusted text',
  irreversible: 'cannot be undone',
  hazard: 'risk of this step',
  forward: 'risk of the next steps',
  confirmation: 'policy: ask a human',
  unlabelled: 'unknown tool',
  approval: 'approval',
}

export const SCOPE_WORDS: Readonly<Record<string, string>> = {
  once: 'this step only',
  session: 'steps like this one, until the session ends',
}
