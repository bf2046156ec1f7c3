import type { ArgumentText } from './argument-text.js'
import { TIERS, type Candidates } from './candidates.js'
import type { FingerprintList } from './fingerprint-list.js'
import { addNormal, createNormalForm } from './normal-form.js'

/** Arguments this short may be halves of one value. */
const JOINED_UNITS_MAX = 40
const REVERSED_UNITS_MIN = 6

const form = createNormalForm()

/** Adds each two short values of arguments that stand next to each other as one. */
export function addJoined(
  list: FingerprintList,
  text: string,
  leaves: ArgumentText['leaves'],
  limit: number,
): void {
  for (let at = 0; at + 1 < leaves.length && list.size < limit; at++) {
    const [first, second] = [leaves[at], leaves[at + 1]]
    if (!first || !second) return
    if (first.end - first.start > JOINED_UNITS_MAX || second.end - second.start > JOINED_UNITS_MAX) continue
    form.length = 0
    addNormal(form, text, first.start, first.end)
    addNormal(form, text, second.start, second.end)
    list.addForm('g', form)
  }
}

/** Fragments that are put together, each with each: of so few that their pairs are few. */
const FRAGMENTS_MAX = 8
const FRAGMENT_SOLID_MIN = 5

/** Adds what two short values make that do not stand next to each other, where neither is a value by itself. */
export function addApart(
  list: FingerprintList,
  text: string,
  leaves: ArgumentText['leaves'],
  told: Uint8Array,
  limit: number,
): void {
  const fragments = leaves.filter(
    ({ start, end }, i) =>
      told[i] !== 1 && end - start <= JOINED_UNITS_MAX && isFragment(text.slice(start, end)),
  )
  if (fragments.length > FRAGMENTS_MAX) list.passOver()
  const some = fragments.slice(0, FRAGMENTS_MAX)
  for (const first of some)
    for (const second of some) {
      if (first === second || list.size >= limit) continue
      form.length = 0
      addNormal(form, text, first.start, first.end)
      addNormal(form, text, second.start, second.end)
      if (form.length >= FRAGMENT_SOLID_MIN) list.addForm('g', form)
    }
}

/** Half of an id has digits; amounts have a point and dates are whole. */
const isFragment = (value: string): boolean => /^(?=\D*\d)\S+$/.test(value) && !AMOUNT_OR_DATE.test(value)

const AMOUNT_OR_DATE = /^(?:\d+\.\d+|\d{4}-\d\d-\d\d(?:T.*)?)$/

/** Adds the values that look like ids, accounts and addresses read backwards. As text: they must not make a target look unknown. */
export function addReversed(list: FingerprintList, text: string, found: Candidates, limit: number): void {
  for (let at = 0; at < found.count && list.size < limit; at++) {
    const [start, end] = [found.start[at] ?? 0, found.end[at] ?? 0]
    if ((found.tier[at] ?? 0) > TIERS.id || end - start < REVERSED_UNITS_MIN) continue
    form.length = 0
    addNormal(form, text, start, end)
    form.bytes.subarray(0, form.length).reverse()
    list.addForm('g', form)
  }
}
