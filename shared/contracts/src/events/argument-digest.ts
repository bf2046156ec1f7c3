import { createHmac, hash } from 'node:crypto'
import { digestOf } from '../canonical.js'

type Values = Readonly<Record<string, unknown>>

/** Digests of arguments, in hex, under one key: equal for equal arguments, and checked by nobody who lacks the key or the salt. */
export type ArgumentDigest = (values: unknown) => string

/** A digest with what opens it: anyone who has `salt` and the arguments can check `digest`, and no other digest. */
export interface SaltedDigest {
  readonly digest: string
  readonly salt: string
}

/**
 * Makes digests under a key of its own, derived from `key`. The salt is a digest under that key, so that equal arguments have equal
 * digests and a salt that is disclosed tells nothing of the key. What stands before each digest has a fixed length, so nothing can be
 * appended to what is hashed. It costs three hashes of strings: an HMAC through `createHmac` costs five times as much as one, and each step pays it.
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

/** Makes digests as `createSaltedDigest` does, for where nothing is disclosed. */
export function createArgumentDigest(key: string | Uint8Array): ArgumentDigest {
  const salted = createSaltedDigest(key)
  return (values) => salted(values).digest
}

/** What an event tells of a step's arguments. */
export interface ReportedArguments {
  readonly arguments?: Values | undefined
  readonly argumentsSalt?: string | undefined
  readonly argumentsDigest: string
}

/**
 * All of a step's arguments, where they are all disclosed and their digest is the step's; undefined where one is not, or where nobody can
 * tell. An argument that is told as `null` may be one that the step does not have: the digest says which.
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

/** An event may hold what nobody can digest, such as lists in each other without end: that opens nothing. */
function isOpenedBy(values: Values, salt: string, argumentsDigest: string): boolean {
  try {
    return hash('sha256', salt + digestOf(values)) === argumentsDigest
  } catch {
    return false
  }
}

/** The salt of a step with the arguments `values`, where `told` discloses them all: without the others it would help to guess them. */
export function saltToReport(
  values: Values,
  reported: Values | undefined,
  { digest: argumentsDigest, salt: argumentsSalt }: SaltedDigest,
): string | undefined {
  const disclosed = reported ?? {}
  // Most steps disclose some or none: told without a hash.
  for (const name in values)
    if (values[name] !== undefined && !Object.hasOwn(disclosed, name)) return undefined
  return openArguments({ arguments: disclosed, argumentsSalt, argumentsDigest }) && argumentsSalt
}
