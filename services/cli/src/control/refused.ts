import type { RefusedRecord } from '@plimsoll/runtime'
import type { Output } from '../command.js'
import { plainText } from '../plain-text.js'

/** Tells, on `stderr`, of records of the registry that are not to be believed: somebody has damaged or forged them. */
export function refusedTeller(stderr: Output): (refused: RefusedRecord) => void {
  return ({ key, offset, reason, message }) =>
    stderr.write(
      `plimsoll: registry record \`${plainText(key)}\` at offset ${offset} is not taken: ${reason}: ${plainText(message)}\n`,
    )
}
