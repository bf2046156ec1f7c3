import type { OnRelease, RefusalReason, RefusedRecord } from '@plimsoll/runtime'
import type { Output } from '../command.js'
import { plainText } from '../format/text-table.js'

/**
 * Keeps account of the registry's records that are not to be believed, and tells of them on `stderr` at the release: of each reason the
 * last, and how many more there are. After a change of the key there can be many.
 */
export function reportRefusals(stderr: Output, onRelease: OnRelease): (refused: RefusedRecord) => void {
  const refusals = new Map<RefusalReason, { readonly last: RefusedRecord; readonly count: number }>()
  onRelease(() => {
    for (const { last, count } of refusals.values()) stderr.write(lineOf(last, count))
  })
  return (last) => refusals.set(last.reason, { last, count: (refusals.get(last.reason)?.count ?? 0) + 1 })
}

function lineOf({ key, offset, reason, message }: RefusedRecord, count: number): string {
  const more = count > 1 ? `; and ${count - 1} more of the kind` : ''
  const record = `registry record \`${plainText(key)}\` at offset ${offset}`
  return `plimsoll: ${record} is not taken: ${reason}: ${plainText(message)}${more}\n`
}
