import type { EventOf, ReportedGift, ReportedPayee, Signals } from '@plimsoll/contracts'
import { type NaiveSource, sourceOf } from './naive-reading.js'
import type { Question } from './naive-session.js'

type Who = 'task' | 'trusted' | 'untrusted'

/** Where a fingerprint was seen; undefined if nowhere. */
export type Whereabouts = (fingerprint: string) => ReadonlySet<string> | undefined

const TENFOLD = 32
const NO_BOUND = 1_023

/** What a session has read of payees, in a growing list. Source: docs/decisions/20261129-who-vouches.md. */
export function createNaivePayees() {
  const known: (ReportedPayee & { readonly who: Who })[] = []
  const isSame = (one: string | undefined, other: string) =>
    one !== undefined && one.slice(1) === other.slice(1)
  const share = (some: readonly string[] = [], others: readonly string[] = []) =>
    some.some((one) => others.some((other) => isSame(one, other)))

  return {
    add: (reported: readonly ReportedPayee[] | undefined, who: Who): void => {
      for (const each of reported ?? []) if (/^[ciu]/.test(each.account ?? 'c')) known.push({ ...each, who })
    },
    /** The signals of a step with those that the monitor sets. */
    signalsOf: ({ gives, signals }: EventOf<'step.proposed'>, where: Whereabouts): Signals | undefined =>
      gives || signals ? { ...signals, ...found(gives, where) } : undefined,
  }

  function found(gift: ReportedGift | undefined, where: Whereabouts): Pick<Signals, 'payee' | 'tenfold'> {
    if (!gift) return { payee: 0, tenfold: 0 }
    const { to = [], accounts = [], names = [], sums = [], isCut = false } = gift
    const differences = accounts.map((account): number => {
      const seen = where(account)
      if (seen?.has('task') || seen?.has('trusted')) return 0
      if (known.some((each) => each.who !== 'untrusted' && isSame(each.account, account))) return 0
      const claims = known.filter((each) => each.who === 'untrusted' && isSame(each.account, account))
      if (claims.length === 0 && !seen) return 0
      const rivals = known.filter(
        (each) => each.who !== 'untrusted' && each.account?.charAt(0) === account.charAt(0),
      )
      const isNamed = (each: (typeof known)[number]) =>
        each.who === 'trusted' &&
        (each.names?.some((name) => where(name)?.has('task')) === true ||
          known.some((other) => other.who === 'task' && share(other.names, each.names)))
      const isOfText = (each: ReportedPayee) => claims.some((claim) => share(claim.names, each.names))
      if (rivals.some((each) => share(each.names, names))) return 1
      if (rivals.some((each) => (each.who === 'task' || isNamed(each)) && isOfText(each))) return 1
      const isNameless = names.length === 0 && claims.every((claim) => !claim.names?.length)
      return isNameless && rivals.some(isNamed) ? 0.5 : 0
    })
    const others: ReadonlySet<number> = new Set(differences)
    const isOther = others.has(1)
    const isByMessage = to.some((value) => {
      const seen = where(value)
      if (!seen || seen.has('task') || seen.has('trusted')) return false
      return !seen.has('sought') || seen.has('instructed')
    })
    const isOfPayee = (each: ReportedPayee) =>
      accounts.some((account) => isSame(each.account, account)) || share(each.names, names)
    const isTenfold = sums.some(({ level, currency }) => {
      const levelsOf = (of: typeof known) =>
        of.map((each) =>
          (each.sums ?? [])
            .filter((sum) => !currency || !sum.currency || sum.currency.slice(1, 6) === currency.slice(1, 6))
            .map((sum) => sum.level),
        )
      const boundOf = (who: Who, of: typeof known) => levelsOf(of.filter((each) => each.who === who)).flat()
      const ofPayee = known.filter(isOfPayee)
      const task = boundOf('task', known)
      const bounds = [
        ...task,
        ...boundOf('trusted', ofPayee),
        ...(task.length === 0 ? boundOf('untrusted', ofPayee) : []),
      ]
      const bound = Math.max(...bounds)
      const isOnlySum = levelsOf(known).every(
        (levels) => levels.length === 0 || Math.max(...levels) === bound,
      )
      if (currency && isOnlySum && level - bound === 2 * TENFOLD) return false
      return bounds.length > 0 && bound < NO_BOUND && level - bound >= TENFOLD
    })
    return {
      payee: isOther ? 1 : isByMessage || isCut || others.has(0.5) ? 0.5 : 0,
      tenfold: isTenfold ? 1 : 0,
    }
  }
}

type Read = Pick<Question, 'labels' | 'labelled' | 'sightings' | 'signals'>

/** The source of what a step reads. It is looked up if the step reads no messages, or those of a place that the task names. */
export function sourceOfStep({ labels, labelled, sightings, signals }: Read): NaiveSource {
  const source = sourceOf(labels, labelled)
  const isSought = signals?.['message'] !== 1 || (sightings?.('acupi', 'task') ?? 0) > 0
  return { ...source, isSought: source.isUntrusted && sightings !== undefined && isSought }
}
