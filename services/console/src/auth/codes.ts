import { type User, type UsersDocument, hashOfToken } from './users.js'

/** By the SHA-256 of each code, in hex, the name of its user. */
export type LoginCodes = ReadonlyMap<string, string>

/** Takes the user of a code that is good for one log-in; undefined for a code that is unknown, or was used. */
export function createCodeTaker(
  codes: LoginCodes,
  { users }: UsersDocument,
): (code: string) => User | undefined {
  const left = new Map(codes)
  return (code) => {
    const hash = hashOfToken(code)
    const name = left.get(hash)
    left.delete(hash)
    return users.find((user) => user.name === name)
  }
}
