import type { Random } from '../property/random.js'

export interface Mutation {
  readonly value: unknown
  /** Where and how it differs from its sample. */
  readonly what: string
}

type Place = {
  readonly holder: Record<string, unknown> | unknown[]
  readonly key: string
  readonly path: string
}

/** Values of every JSON type, and some at the edge of what a field may hold. */
const VALUES: readonly [unknown, ...unknown[]] = [
  null,
  true,
  0,
  1,
  -1,
  0.5,
  2 ** 53,
  1e300,
  '',
  'a',
  'two words',
  'a\nline',
  '\u007f',
  'x'.repeat(161),
  // Two UTF-16 code units each: lengths are those in characters.
  '\u{1F6A2}'.repeat(40),
  '\u{1F6A2}'.repeat(250),
  'x'.repeat(10_000),
  'f'.repeat(32),
  'f'.repeat(64),
  'allow',
  'read',
  'network',
  'observe',
  'e-1',
  [],
  {},
  [0.1, 0.2, 0.3],
  [0, 1, 2],
]

/** `count` values, each one of `samples` with one to three places spoilt, or left as it would still be right. */
export function* mutationsOf(
  samples: readonly unknown[],
  count: number,
  random: Random,
): Generator<Mutation> {
  for (let i = 0; i < count; i++) {
    const root = { value: structuredClone(samples[random.below(samples.length)]) }
    const changes = Array.from({ length: 1 + random.below(3) }, () => spoil(root, random))
    yield { value: root.value, what: `mutation ${i}: ${changes.join(', ')}` }
  }
}

function spoil(root: { value: unknown }, random: Random): string {
  const { holder, key, path } = placeIn(root, random)
  const held: unknown = Reflect.get(holder, key)
  const how = random.below(6)
  if (how === 0 && Array.isArray(holder)) holder.splice(Number(key), 1)
  else if (how === 0 && path !== '') Reflect.deleteProperty(holder, key)
  else if (how === 1 && Array.isArray(held)) held.push(held.length > 0 ? structuredClone(held[0]) : 'a')
  else if (how === 1 && isObject(held)) held['extra'] = random.pick(VALUES)
  else if (how === 2 && typeof held === 'string')
    Reflect.set(holder, key, random.chance(0.5) ? `${held}x` : held.slice(1))
  else if (how === 2 && typeof held === 'number') Reflect.set(holder, key, held + random.pick([1, -1, 0.5]))
  else Reflect.set(holder, key, structuredClone(random.pick(VALUES)))
  return `${path || 'root'} (${how})`
}

/** A place of the value at any depth, the root among them: shallow ones as likely as deep ones. */
function placeIn(root: { value: unknown }, random: Random): Place {
  let place: Place = { holder: root, key: 'value', path: '' }
  for (;;) {
    const held: unknown = Reflect.get(place.holder, place.key)
    const keys = isObject(held) || Array.isArray(held) ? Object.keys(held) : []
    const [first, ...rest] = keys
    if (first === undefined || (place.path !== '' && random.chance(0.3)) || random.chance(0.02)) return place
    const key = random.pick([first, ...rest])
    place = { holder: held as Place['holder'], key, path: `${place.path}/${key}` }
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
