import type { Sightings } from './naive-integrity.js'
import type { EventOf, Inherits, Signals, ToolLabels } from '@plimsoll/contracts'

/** What a session has read, as a growing map from the bits of a fingerprint to the words for where it was seen. Nothing is forgotten. */
export function createNaiveReading() {
  const seen = new Map<string, Set<string>>()
  /** Sensitive results without fingerprints. */
  let isUnseen = false

  const note = (reported: readonly string[] | undefined, where: readonly string[]): void => {
    for (const each of reported ?? []) {
      const known = seen.get(each.slice(1)) ?? new Set()
      for (const word of where) known.add(word)
      seen.set(each.slice(1), known)
    }
  }

  const isCarried = (reported: string): boolean => {
    const where = seen.get(reported.slice(1))
    return where !== undefined && where.has('sensitive') && !where.has('task')
  }

  /** What is sent is in the records that the arguments name, unless the task names each of them. */
  const sendsRecords = (reported: readonly string[] | undefined, signals: Signals | undefined): boolean => {
    const records = (reported ?? [])
      .filter((each) => 'pi'.includes(each.charAt(0)))
      .map((each) => each.slice(1))
    const areAllNamed = records.length > 0 && records.every((each) => seen.get(each)?.has('task'))
    return (signals?.['records'] ?? 0) > 0 && !areAllNamed
  }

  return {
    /** What the user names himself counts, wherever else it was read. */
    named: (reported: readonly string[] | undefined): void => note(reported, ['task']),
    /** What was inherited the task does not name, even if it says it. */
    task: (reported: readonly string[] | undefined): void =>
      note(
        reported?.filter((each) => [...(seen.get(each.slice(1)) ?? [])].every((where) => where === 'task')),
        ['task'],
      ),
    inherit({ untrusted, instructed, sensitive }: NonNullable<Inherits['fingerprints']>): void {
      note(untrusted, ['untrusted'])
      note(instructed, ['untrusted', 'instructed'])
      note(sensitive, ['sensitive'])
    },
    overlook: (): void => void (isUnseen = true),
    read(event: EventOf<'step.completed'>, { isSensitive, isUntrusted }: NaiveSource): void {
      const where = [...(isUntrusted ? ['untrusted'] : ['trusted']), ...(isSensitive ? ['sensitive'] : [])]
      note(event.fingerprints, where)
      const instructed = ['untrusted', 'instructed', ...(isSensitive ? ['sensitive'] : [])]
      note(event.instructed, instructed)
      const count = event.fingerprints?.length ?? 0
      const isCut = count >= 128 || (event.signals?.['partial'] ?? 0) > 0
      if (isSensitive && (count === 0 || isCut)) isUnseen = true
    },
    /** Whether sensitive data is in the arguments; `waitsForSensitive`: whether a sensitive result may still come. */
    evidence(
      reported: readonly string[] | undefined,
      signals: Signals | undefined,
      waitsForSensitive: boolean,
    ): 'present' | 'absent' | 'unknown' {
      if (!reported) return 'unknown'
      const carried = reported.filter(isCarried).map((each) => each.charAt(0))
      const of = (letters: string) => carried.filter((letter) => letters.includes(letter)).length
      if (of('pi') >= 1 || of('g') >= 3 || of('acupin') >= 3) return 'present'
      if (of('acuping') > 0 || isUnseen || waitsForSensitive) return 'unknown'
      // Only what its client says to be all of it is known to be all of it.
      if (signals?.['complete'] !== 1 || (signals['partial'] ?? 0) > 0) return 'unknown'
      if (sendsRecords(reported, signals)) return 'unknown'
      return reported.some((each) => 'acuping'.includes(each.charAt(0))) ? 'absent' : 'unknown'
    },
    /**
     * The same for a request: what it is about is no content, names alone are not known, and without any content nothing is in it.
     */
    requestEvidence(
      reported: readonly string[] | undefined,
      addressed: readonly string[] | undefined,
      signals: Signals | undefined,
      waitsForSensitive: boolean,
      isPayment: boolean,
    ): 'present' | 'absent' | 'unknown' {
      if (!reported) return 'unknown'
      const about = new Set(addressed?.map((each) => each.slice(1)))
      const carried = reported.filter((each) => !about.has(each.slice(1)) && isCarried(each))
      const of = (letters: string) => carried.filter((each) => letters.includes(each.charAt(0))).length
      if (of('cip') >= 1 || of('g') >= 3) return 'present'
      // A payment may name what it is for.
      const isMore = of('g') > 0 || of('aun') > (isPayment ? 2 : 0)
      if (isMore || isUnseen || waitsForSensitive) return 'unknown'
      if (signals?.['complete'] !== 1 || (signals['partial'] ?? 0) > 0) return 'unknown'
      return sendsRecords(reported, signals) ? 'unknown' : 'absent'
    },
    /** What is sent of what is named by reference. */
    sendsRecords,
    /** Where the fingerprints of a step were seen, as it is proposed. */
    sightings(reported: readonly string[] | undefined): Sightings | undefined {
      if (!reported) return undefined
      const found = reported.map((each) => ({
        letter: each.charAt(0),
        where: new Set(seen.get(each.slice(1))),
      }))
      return (letters, word, only) =>
        found.filter(({ letter, where }) => {
          if (!letters.includes(letter)) return false
          if (only && (where.has('task') || where.has('trusted'))) return false
          return word === 'any' || (word === 'nowhere' ? where.size === 0 : where.has(word))
        }).length
    },
    /** Whether somebody whom the task does not name gets a record that it does not name either. */
    givesStrangers(reported: readonly string[] | undefined, signals: Signals | undefined): boolean {
      if ((signals?.['strangers'] ?? 0) === 0) return false
      const targets = reported?.filter((each) => 'acu'.includes(each.charAt(0))) ?? []
      const areNamed = targets.length > 0 && targets.every((each) => seen.get(each.slice(1))?.has('task'))
      return !areNamed && sendsRecords(reported, signals)
    },
    /** How many of the distinctive values were seen where; none without fingerprints. */
    provenance(reported: readonly string[] | undefined): string | undefined {
      const values = reported
        ?.filter((each) => 'acupin'.includes(each.charAt(0)))
        .map((each) => seen.get(each.slice(1)))
      if (!values) return undefined
      const isVouched = (where?: Set<string>) => where?.has('task') || where?.has('trusted')
      const count = (word: string) => values.filter((where) => where?.has(word)).length
      const only = (word: string) => values.filter((where) => where?.has(word) && !isVouched(where)).length
      return JSON.stringify({
        values: values.length,
        task: count('task'),
        trusted: count('trusted'),
        untrusted: only('untrusted'),
        instructions: only('instructed'),
        sensitive: count('sensitive'),
        nowhere: values.filter((where) => where === undefined).length,
      })
    },
  }
}

/** What is known of where a result comes from. */
export interface NaiveSource {
  readonly isSensitive: boolean
  readonly isUntrusted: boolean
}

export const sourceOf = (labels: ToolLabels, labelled: boolean): NaiveSource => ({
  isSensitive: labels.confidentiality === 'sensitive' || labels.confidentiality === 'credentials',
  isUntrusted: labels.trust === 'untrusted' || !labelled,
})
