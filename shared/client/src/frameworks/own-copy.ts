import { isDeepStrictEqual } from 'node:util'

/**
 * A copy of a call's input that nobody else can reach, so that what is asked about is what runs; `input` itself where it holds what
 * cannot be copied alike, such as functions or objects of a class. Not frozen, for tools may fill in what their input leaves out.
 */
export function ownCopyOf<T>(input: T): T {
  try {
    const copy = structuredClone(input)
    return isDeepStrictEqual(copy, input) ? copy : input
  } catch {
    return input
  }
}
