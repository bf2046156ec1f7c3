import { isUnread } from './naive-files.js'
import type { Sightings } from './naive-integrity.js'
import type { EventOf, Inherits, Signals, ToolLabels } from '@plimsoll/contracts'

/** What a session has read: an unbounded map from the bits of a fingerprint to the places where it was seen. */
export function createNaiveReading() {
  const seen = new Map<string, Set<string>>()
  /** As what a value was kept where something sensitive was read: only what was not known there before is. */
  const kinds = new Map<string, Set<string>>()
  /** Sensitive results without fingerprints. */
  let isUnseen = false
  /** Whether the task gives an address that it has not named otherwise before. */
  let givesAddress = false

  const note = (reported: readonly string[] | undefined, where: readonly string[]): void => {
    const isNew = (each: string) => !where.every((word) => seen.get(each.slice(1))?.has(word) === true)
    if (where.includes('task') && reported?.some((each) => each.startsWith('a') && isNew(each)))
      givesAddress = true
    for (const each of where.includes('sensitive') ? (reported ?? []).filter(isNew) : [])
      kinds.set(each.slice(1), (kinds.get(each.slice(1)) ?? new Set()).add(each.charAt(0)))
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

  /** The content sent is in the records that the arguments name, unless the task names each of them. */
  const sendsRecords = (reported: readonly string[] | undefined, signals: Signals | undefined): boolean => {
    const records = (reported ?? [])
      .filter((each) => 'pi'.includes(each.charAt(0)))
      .map((each) => each.slice(1))
    const areAllNamed = records.length > 0 && records.every((each) => seen.get(each)?.has('task'))
    return (signals?.['records'] ?? 0) > 0 && !areAllNamed
  }

  return {
    /** Values named by the user count as named, wherever else they were read. */
    named: (reported: readonly string[] | undefined): void => note(reported, ['task']),
    /** Inherited values count as not named, even if the task names them. */
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
    read(event: EventOf<'step.completed'>, { isSensitive, isUntrusted, isSought }: NaiveSource): void {
      const where = [
        ...(isUntrusted ? ['untrusted'] : ['trusted']),
        ...(isSensitive ? ['sensitive'] : []),
        ...(isSought ? ['sought'] : []),
      ]
      // Of a value that is in both lists as different kinds, the first one counts.
      const instructed = ['untrusted', 'instructed', ...(isSensitive ? ['sensitive'] : [])]
      note(event.instructed, instructed)
      note(event.fingerprints, where)
      const count = event.fingerprints?.length ?? 0
      const isCut = count >= 192 || isUnread(event.signals)
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
      // A report is complete only if the client says so.
      if (signals?.['complete'] !== 1 || isUnread(signals)) return 'unknown'
      if (sendsRecords(reported, signals)) return 'unknown'
      return reported.some((each) => 'acuping'.includes(each.charAt(0))) ? 'absent' : 'unknown'
    },
    /**
     * What a step carries out: its subject is not content, nor is it for a mail or a payment; names alone are unknown. Where not all sensitive data
     * is known, each value and word must be.
     */
    carried(
      reported: readonly string[] | undefined,
      addressed: readonly string[] | undefined,
      signals: Signals | undefined,
      waitsForSensitive: boolean,
      way: 'mail' | 'visit' | 'payment',
      sendsFiles: boolean,
    ): 'present' | 'absent' | 'unknown' {
      if (!reported) return 'unknown'
      const about = new Set(addressed?.map((each) => each.slice(1)))
      const isOfKind = (each: string) =>
        [...(kinds.get(each.slice(1)) ?? [])].some((kind) => 'cip'.includes(kind))
      const values = reported.filter((each) => !'td'.includes(each.charAt(0)))
      // A secret in the place of a name is content.
      const isSecret = (each: string) => each.startsWith('n') && kinds.get(each.slice(1))?.has('c') === true
      const carried = values.filter(
        (each) => (!about.has(each.slice(1)) || isSecret(each)) && isCarried(each),
      )
      const ids = carried.filter((each) => 'cip'.includes(each.charAt(0)) || isOfKind(each))
      const others = carried.filter((each) => !ids.includes(each))
      const of = (letters: string) => others.filter((each) => letters.includes(each.charAt(0))).length
      if (ids.length > 0 || of('g') >= 3 || (way === 'mail' && of('aun') >= 3)) return 'present'
      // A payment may name its purpose.
      const namesMax = way === 'payment' ? 2 : 0
      if (of('g') > 0 || of('aun') > namesMax) return 'unknown'
      if (signals?.['complete'] !== 1 || isUnread(signals)) return 'unknown'
      // A payment sends none of the records that it pays by their ids; a file it may.
      const isByIds = way === 'payment' && !reported.some((each) => each.startsWith('p'))
      if (signals['pushes'] === 1 ? sendsFiles : !isByIds && sendsRecords(reported, signals)) return 'unknown'
      if (way === 'mail' && !reported.some((each) => 'acuping'.includes(each.charAt(0)))) return 'unknown'
      if (!isUnseen && !waitsForSensitive) return 'absent'
      const fresh = values.filter((each) => !seen.has(each.slice(1)) && !each.startsWith('g'))
      const names = fresh.filter((each) => each.startsWith('n')).length + of('aun')
      const areWordsListed = reported.filter((each) => each.startsWith('w')).length < 20
      const isKnown = fresh.every((each) => each.startsWith('n')) && of('w') === 0 && names <= namesMax
      return isKnown && areWordsListed ? 'absent' : 'unknown'
    },
    whereabouts: (reported: string): ReadonlySet<string> | undefined => seen.get(reported.slice(1)),
    carriesSome: (reported: readonly string[] | undefined): boolean =>
      !reported || reported.some((each) => 'acuping'.includes(each.charAt(0)) && isCarried(each)),
    isUnseen: (): boolean => isUnseen,
    /** What is sent of data named by reference. */
    sendsRecords,
    givesAddress: (): boolean => givesAddress,
    /** Where the fingerprints of a proposed step were seen. */
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
    /** Whether a recipient that the task does not name gets a record that it does not name either. */
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

/** The known origin of a result. */
export interface NaiveSource {
  readonly isSensitive: boolean
  readonly isUntrusted: boolean
  /** Whether it is untrusted and the agent looked it up, so that it is no message of others. */
  readonly isSought?: boolean
}

export const sourceOf = (labels: ToolLabels, labelled: boolean): NaiveSource => ({
  isSensitive: labels.confidentiality === 'sensitive' || labels.confidentiality === 'credentials',
  isUntrusted: labels.trust === 'untrusted' || !labelled,
})
