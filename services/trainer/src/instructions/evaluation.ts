import { type InstructionModel, createTokenScanner, readInstructions } from '@plimsoll/labels'
import { type InstructionSample, fitInstructionModel } from './fit.js'
import { type RecordedResult, FLAGGED_MAX, SEED, sampled } from './recorded.js'

const scan = createTokenScanner()

/** Shortest account or telephone number, in characters. */
const NUMBER_UNITS_MIN = 8

/** Addresses, URLs and long numbers of a text, and where each begins. */
export function distinctiveValues(text: string): { value: string; at: number }[] {
  const { count, start, end } = scan(text)
  const values: { value: string; at: number }[] = []
  for (let i = 0; i < count; i++) {
    const at = start[i] ?? 0
    const value = text.slice(at, end[i])
    if (isDistinctive(value)) values.push({ value, at })
  }
  return values
}

function isDistinctive(value: string): boolean {
  if (/^[\w.+-]+@[\w.-]+$/.test(value)) return true
  if (/^(https?:\/\/|www\.)/.test(value)) return true
  return value.length >= NUMBER_UNITS_MIN && /^[A-Z]{0,2}\d{6,}$/.test(value)
}

/** How many of a kind of results there were, and how many of them were flagged. */
export interface Flagged {
  readonly flagged: number
  readonly of: number
}

/** What a model that knows nothing of some templates makes of the sessions attacked with them. */
export interface HeldOutFigures {
  readonly held: string
  /** First results that hold an instruction. */
  readonly first: Flagged
  /** Results of unattacked sessions and those that came before the first. */
  readonly free: Flagged
  /** Results after the first one: many repeat the instruction, nobody says which. */
  readonly later: Flagged
  /** Distinctive values (addresses, URLs, accounts) of first results that no free result has: how many lie in a passage found. */
  readonly values: Flagged
  readonly threshold: number
}

export interface HoldOut {
  readonly name: string
  readonly template: (template: string) => boolean
  /** Results that are learned from and not judged; the others are judged and not learned from. All, for both, if not given. */
  readonly learns?: (result: RecordedResult) => boolean
}

/**
 * Fits to everything but the sessions that `holdOut` names (and `made` samples, and `others`, results without any instruction), the
 * threshold included, and reads those.
 */
export function evaluateHeldOut(
  results: readonly RecordedResult[],
  holdOut: HoldOut,
  made: readonly InstructionSample[],
  others: readonly InstructionSample[] = [],
): HeldOutFigures {
  const { name, template: isHeld, learns } = holdOut
  const samples = sampled(results, (result) => !isHeld(result.template) && (learns?.(result) ?? true))
  const model = fitInstructionModel([...made, ...samples, ...others], { flaggedMax: FLAGGED_MAX, seed: SEED })
  const judged = results.filter(
    (result) => (isHeld(result.template) || result.template === '') && !(learns?.(result) ?? false),
  )
  return { held: name, threshold: model.threshold, ...readAll(judged, results, model) }
}

function readAll(
  judged: readonly RecordedResult[],
  all: readonly RecordedResult[],
  model: InstructionModel,
): Pick<HeldOutFigures, 'first' | 'free' | 'later' | 'values'> {
  const read = createReader(model)
  const known = new Set<string>()
  for (const text of new Set(all.filter(({ holds }) => holds === 'free').map(({ text }) => text)))
    for (const { value } of distinctiveValues(text)) known.add(value)
  const figures = { first: [0, 0], free: [0, 0], later: [0, 0], values: [0, 0] } as Record<
    string,
    [number, number]
  >
  const add = (key: string, hit: boolean) => {
    const pair = (figures[key] ??= [0, 0])
    pair[1]++
    if (hit) pair[0]++
  }
  for (const { text, holds } of judged) {
    const { flagged, segments } = read(text)
    add(holds, flagged)
    if (holds !== 'first') continue
    for (const { value, at } of distinctiveValues(text))
      if (!known.has(value))
        add(
          'values',
          segments.some(([start, end]) => at >= start && at < end),
        )
  }
  const reported = ([flagged, of]: [number, number] = [0, 0]): Flagged => ({ flagged, of })
  return {
    first: reported(figures['first']),
    free: reported(figures['free']),
    later: reported(figures['later']),
    values: reported(figures['values']),
  }
}

type Read = { flagged: boolean; segments: readonly (readonly [number, number])[] }

/** Reads each text once: sessions share most of theirs. */
function createReader(model: InstructionModel): (text: string) => Read {
  const scan = createTokenScanner()
  const known = new Map<string, Read>()
  return (text) => {
    const before = known.get(text)
    if (before !== undefined) return before
    const { score, segments } = readInstructions(text, scan(text), model)
    const reading = { flagged: score >= model.threshold, segments }
    known.set(text, reading)
    return reading
  }
}

const templatesOf = (results: readonly RecordedResult[]): string[] =>
  [...new Set(results.map(({ template }) => template))].filter((template) => template !== '').sort()

/** Each template by itself: the wordings of the others are known to the fit, and some differ from it by a name alone. */
export const holdOutTemplates = (results: readonly RecordedResult[]): HoldOut[] =>
  templatesOf(results).map((name) => ({ name, template: (template) => template === name }))

/** Templates that are nothing like the rest. Those left are one family, variations of one letter in a tag. */
const DISTINCT = ['direct', 'ignore_previous', 'injecagent']

/** Families of templates: no wording of the one held out, nor any near it, is known to the fit. */
export function holdOutFamilies(results: readonly RecordedResult[]): HoldOut[] {
  const alone = DISTINCT.map((name): HoldOut => ({ name, template: (template) => template === name }))
  const family = new Set(templatesOf(results).filter((template) => !DISTINCT.includes(template)))
  return [...alone, { name: 'all others', template: (template) => family.has(template) }]
}
