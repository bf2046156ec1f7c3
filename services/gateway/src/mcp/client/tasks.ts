import type { ClaimedLabels } from '@plimsoll/contracts'
import { LRUCache } from 'lru-cache'
import { type Members, membersIn, textMember } from '../rpc/messages.js'
import type { OfferedTool } from '../tools/offer.js'

/** Tasks that are remembered. */
const TASKS_MAX = 4_096

/** A task of a server: a call whose result comes later. */
interface Task {
  readonly server: string
  /** What its tool's result is, by catalogue and server. */
  readonly labels: ClaimedLabels
}

export type Tasks = ReturnType<typeof createTasks>

/** The tasks of one client, by id: which server has each, and which labels its result has. */
export function createTasks() {
  const tasks = new LRUCache<string, Task>({ max: TASKS_MAX })

  return {
    /** Remembers the task that a call has begun, if it has. */
    begun: ({ server, labels, claimed }: OfferedTool, result: Members): void => {
      const taskId = textMember(membersIn(result, 'task'), 'taskId') ?? textMember(result, 'taskId')
      if (taskId === undefined) return
      const { confidentiality, trust } = { ...labels, ...claimed }
      tasks.set(taskId, {
        server,
        labels: { ...(confidentiality && { confidentiality }), ...(trust && { trust }) },
      })
    },
    of: (params: Members): Task | undefined => tasks.get(textMember(params, 'taskId') ?? ''),
  }
}
