import { PlimsollError, type Handover } from '@plimsoll/contracts'
import type { Identities } from './identities.js'
import type { ResumedSession } from './session.js'

/**
 * What is known of a session that another process began: who it is, and of what it has read the worst. Throws `identity_invalid`
 * for a token that is not its own.
 */
export function resumptionOf(
  { id, token, root }: ResumedSession,
  identities: Pick<Identities, 'rootOf'> | undefined,
): Handover {
  const told = token === undefined ? undefined : identities?.rootOf(id, token)
  if (root !== undefined && told !== undefined && root !== told)
    throw new PlimsollError(
      'identity_invalid',
      `the root of session \`${id}\` is another than its token says`,
    )
  return {
    root: told ?? root ?? id,
    inherits: { taint: 'instructions', confidentiality: 'credentials', unseen: true, codeWritten: true },
    ...(token !== undefined && { identity: token }),
  }
}
