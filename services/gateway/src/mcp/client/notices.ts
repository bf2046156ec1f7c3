import { withheldText } from '../calls.js'
import type { Sent } from '../rpc/messages.js'
import type { WithheldTool } from '../tools/offer.js'

/** Reasons that an approval removes. */
const isApprovable = ({ reason }: WithheldTool): boolean => reason === 'new' || reason === 'changed'

/** Notices that wait for a request of the client, and those that are remembered. */
const NOTICES_MAX = 1_024

export type Notices = ReturnType<typeof createNotices>

/** Reports to a client's user, once each, which tools have changed or are new, and what approves them. */
export function createNotices(approveWith: string | undefined) {
  const seen = new Set<string>()
  let waiting: WithheldTool[] = []

  const remedyOf = (tool: WithheldTool): string => {
    if (!isApprovable(tool)) return ''
    return approveWith === undefined
      ? 'Nothing can approve it: start the proxy with `--pins FILE`, which keeps what is approved.'
      : `A human can look at the change and approve it with \`${approveWith}\`; then make the same call again.`
  }

  return {
    /** What a human can do about a withheld tool; empty if an approval is no remedy. */
    remedyOf,
    add: (tool: WithheldTool): void => {
      const key = `${tool.name}\n${tool.why}`
      if (!isApprovable(tool) || seen.has(key) || seen.size >= NOTICES_MAX) return
      seen.add(key)
      waiting.push(tool)
    },
    /** Sends the notices that wait, as log messages. */
    flush: (notify: (sent: Sent) => void): void => {
      const due = waiting
      waiting = []
      for (const tool of due) {
        const data = withheldText(tool, remedyOf(tool))
        notify({ method: 'notifications/message', params: { level: 'warning', logger: 'plimsoll', data } })
      }
    },
  }
}
