import type { Capability, Reversibility } from '@plimsoll/contracts'

/** What kind of thing a tool does, as its verb says. */
export const ACTIONS = {
  /** Works on what it is given: nothing is read. */
  think: { capability: 'read', reversibility: 'reversible' },
  look: { capability: 'read', reversibility: 'reversible' },
  /** Goes out and brings something back. */
  browse: { capability: 'network', reversibility: 'reversible' },
  /** Changes what can be changed back at once. */
  flip: { capability: 'write', reversibility: 'reversible' },
  change: { capability: 'write', reversibility: 'partial' },
  destroy: { capability: 'write', reversibility: 'irreversible' },
  run: { capability: 'execute', reversibility: 'partial' },
  /** Reaches others, and can be called back. */
  tell: { capability: 'network', reversibility: 'partial' },
  /** Reaches others, and is gone. */
  send: { capability: 'network', reversibility: 'irreversible' },
} as const satisfies Record<string, { capability: Capability; reversibility: Reversibility }>
export type Action = keyof typeof ACTIONS

/** From the mildest to the worst: of several verbs of a name the worst counts. */
export const SEVERITY: readonly Action[] = [
  'think',
  'look',
  'browse',
  'flip',
  'change',
  'tell',
  'run',
  'destroy',
  'send',
]

const VERBS: Readonly<Record<Action, string>> = {
  think: `think reason plan reflect calculate compute sum echo convert sleep wait finish complete done noop ping generate thinking
    sequentialthinking calculator todo simulate
    translate summarize summarise`,
  look: `get list search find read view show describe query lookup check count open recall retrieve return explain inspect compare
    validate verify glob grep cat head tail ls stat scroll goto monitor watch poll can has is load export dump preview
    locate resolve scan browse examine analyze analyse status diff log blame info detail fetch screenshot snapshot aggregate lookup whoami
    suggest recommend audit extract lint hover explore`,
  browse: 'navigate crawl scrape download visit',
  flip: `toggle enable disable mark archive unarchive label tag star pin mute unmute draft subscribe unsubscribe follow unfollow
    activate deactivate pause lock unlock escalate cordon uncordon`,
  change: `format suspend resume create make add write edit append insert update set put save store rename move copy patch modify change replace grant
    register assign upsert apply init commit merge checkout stash configure exchange remember import restore finalize void capture settle redeem
    record drag cancel close reject approve fork reset reboot start stop restart editor rebase revert
    schedule reschedule return refuel install stage reseat disconnect connect scale upgrade rollback rollout migrate attach detach link unlink
    annotate provision associate assign import sync mutate manage operate process bulk undo`,
  destroy: `delete remove drop truncate purge wipe destroy erase clean clear uninstall kill terminate revoke rotate cleanup teardown prune evict drain
    flush trash empty expire deregister decommission unpublish overwrite del rm drain nuke`,
  run: `run exec execute eval bash shell sh zsh powershell terminal cmd python ipython sql script invoke launch spawn repl
    interpreter trigger`,
  tell: 'share invite notify comment react book reserve rsvp chat ask request order push browser click fill press evaluate computer clone pull upload',
  send: `send reply forward email tweet dm broadcast publish post submit deploy release pay transfer purchase buy charge refund
    withdraw wire donate`,
}

/**
 * Verbs that name things as often as they say what is done: `list_orders`, `get_commit`. They are verbs where they come first, or behind `and`
 * or `or`.
 */
const NOUNS: ReadonlySet<string> = new Set(
  `order post release transfer charge refund run request comment email share commit log query report record schedule note book mark label tag star fork
  merge branch build deploy import export upload download change set reset start stop push pull purchase call script sql patch status diff info detail
  view index monitor watch trigger graph check count balance load plan estimate react browser shell bash python node terminal computer image exec
  notify reply message pay buy reserve chat ask follow draft lock track model load generic helm kubectl process link attach sync audit extract
  mute subscribe pause archive apply approve review reject repl interpreter command cmd clone stage connect restart rollout scale copy snapshot
  forward screenshot bulk store rename return sh zsh remember convert format sum`.split(/\s+/),
)

/** Whether a word may be a thing rather than what is done. */
export const isNoun = (word: string): boolean => NOUNS.has(word)

const ACTION_OF = new Map<string, Action>(
  Object.entries(VERBS).flatMap(([action, verbs]) =>
    verbs.split(/\s+/).map((verb) => [verb, action as Action]),
  ),
)

export const actionOfVerb = (word: string): Action | undefined => ACTION_OF.get(word)
