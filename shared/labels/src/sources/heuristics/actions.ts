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

const VERBS: Readonly<Record<Action, string>> = {
  think: `think reason plan reflect calculate compute sum echo convert format sleep wait finish complete done noop ping generate thinking
    sequentialthinking calculator todo simulate
    translate summarize summarise`,
  look: `get list search find read view show describe query lookup check count open recall retrieve return explain inspect compare
    validate verify glob grep cat head tail ls stat scroll goto monitor watch poll can has is load export dump preview
    locate resolve scan browse examine analyze analyse status diff log blame info detail fetch`,
  browse: 'navigate crawl scrape download visit',
  flip: `toggle enable disable mark archive unarchive label tag star pin mute unmute draft subscribe unsubscribe follow unfollow
    activate deactivate pause lock unlock escalate`,
  change: `suspend resume create make add write edit append insert update set put save store rename move copy patch modify change replace grant
    register assign upsert apply init commit merge checkout stash configure exchange remember upload import restore
    record drag cancel close reject approve fork reset reboot start stop restart editor rebase revert
    schedule reschedule return refuel install stage reseat disconnect connect`,
  destroy:
    'delete remove drop truncate purge wipe destroy erase clean clear uninstall kill terminate revoke rotate',
  run: `run exec execute eval bash shell sh zsh powershell terminal cmd python ipython node sql script invoke launch spawn repl
    interpreter trigger`,
  tell: 'share invite notify comment react book reserve rsvp chat ask request order push browser click fill press evaluate computer clone pull',
  send: `send reply forward email tweet dm broadcast publish post submit deploy release pay transfer purchase buy charge refund
    withdraw wire donate`,
}

const ACTION_OF = new Map<string, Action>(
  Object.entries(VERBS).flatMap(([action, verbs]) =>
    verbs.split(/\s+/).map((verb) => [verb, action as Action]),
  ),
)

export const actionOfVerb = (word: string): Action | undefined => ACTION_OF.get(word)
