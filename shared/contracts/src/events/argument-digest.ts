import { createHmac, hash } from 'node:crypto'
import { digestOf } from '../canonical.js'

type Values = Readonly<Record<string, unknown>>

/** Keyed digests of arguments, in hex: equal for equal arguments, and verifiable only with the key or the salt. */
export type ArgumentDigest = (values: unknown) => string

/** A digest with the salt that opens it: `salt` and the arguments verify `digest`. */
export interface SaltedDigest {
  readonly digest: string
  readonly salt: string
}

/**
 * Creates digests under a key derived from `key`. The salt is a digest under that key, so that equal arguments have equal digests and a
 * disclosed salt reveals nothing of the key. The prefix of each digest has a fixed length, so nothing can be appended to what is hashed.
 * It costs three string hashes; an HMAC through `createHmac` costs five times as much as one, and every step pays it.
 */
export function createSaltedDigest(key: string | Uint8Array): (values: unknown) => SaltedDigest {
  // 64 characters: one block of SHA-256.
  const own = createHmac('sha256', key).update('plimsoll arguments').digest('hex')
  return (values) => {
    const plain = digestOf(values)
    const salt = hash('sha256', own + plain)
    return { salt, digest: hash('sha256', salt + plain) }
  }
}

/** Creates digests like `createSaltedDigest`, without disclosing the salt. */
export function createArgumentDigest(key: string | Uint8Array): ArgumentDigest {
  const salted = createSaltedDigest(key)
  return (values) => salted(values).digest
}

/** The arguments and digest in an event. */
interface ReportedArguments {
  readonly arguments?: Values | undefined
  readonly argumentsSalt?: string | undefined
  readonly argumentsDigest: string
}

/**
 * All arguments of a step if they are all disclosed and match the step's digest; undefined otherwise. An argument reported as `null` may
 * be absent from the step: the digest decides.
 */
export function openArguments({
  arguments: reported = {},
  argumentsSalt: salt,
  argumentsDigest,
}: ReportedArguments): Values | undefined {
  if (salt === undefined) return undefined
  const present = Object.fromEntries(Object.entries(reported).filter(([, value]) => value !== null))
  return [reported, present].find((values) => isOpenedBy(values, salt, argumentsDigest))
}

/** Values that cannot be digested, such as deeply nested lists, open nothing. */
function isOpenedBy(values: Values, salt: string, argumentsDigest: string): boolean {
  try {
    return hash('sha256', salt + digestOf(values)) === argumentsDigest
  } catch {
    return false
  }
}

/**
 * The salt of a step with the arguments `values` if `disclosed` contains them all. With only some of them, the salt would help to guess
 * the others.
 */
export function saltToReport(
  values: Values,
  reported: Values | undefined,
  { digest: argumentsDigest, salt: argumentsSalt }: SaltedDigest,
): string | undefined {
  const disclosed = reported ?? {}
  // Most steps disclose some or none: detected without a hash.
  for (const name in values)
    if (values[name] !== undefined && !Object.hasOwn(disclosed, name)) return undefined
  return openArguments({ arguments: disclosed, argumentsSalt, argumentsDigest }) && argumentsSalt
}
