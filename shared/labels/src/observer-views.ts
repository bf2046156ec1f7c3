import type { EventOf, World } from '@plimsoll/contracts'

export type StartedView = Pick<
  EventOf<'session.started'>,
  'found' | 'fingerprints' | 'limits' | 'follows' | 'payees' | 'signals'
>
export type InstructedView = Pick<
  EventOf<'session.instructed'>,
  'fingerprints' | 'limits' | 'follows' | 'payees' | 'signals'
>
export type ProposedView = Pick<
  EventOf<'step.proposed'>,
  | 'labels'
  | 'fingerprints'
  | 'addressed'
  | 'link'
  | 'recipients'
  | 'files'
  | 'gives'
  | 'effects'
  | 'changes'
  | 'made'
  | 'scripts'
  | 'runs'
  | 'runFiles'
  | 'programs'
  | 'signals'
>
export type CompletionReport = Pick<
  EventOf<'step.completed'>,
  | 'labels'
  | 'taint'
  | 'fingerprints'
  | 'instructed'
  | 'linkParts'
  | 'messages'
  | 'payees'
  | 'records'
  | 'scripts'
  | 'signals'
>

export interface SeenTask {
  readonly task?: string | undefined
  /** The category that the caller declares; the text is then not searched for one. */
  readonly category?: string | undefined
  /** Whether an agent wrote the task. Its words are then no evidence of its category. */
  readonly isDelegated?: boolean | undefined
  /** Whether it follows a task. What it asks to change then lifts earlier limits. */
  readonly isLater?: boolean | undefined
  /** Names of all tools that the agent can use; undefined if unknown. An array that does not change is read once. */
  readonly tools?: readonly string[] | undefined
}

/**
 * Whether something is lost for good at a path, as seen from where the step begins, for who sees the files; undefined if that is not known.
 * - `delete`: the path and all below it are deleted. Nothing is lost of what is committed as it is
 * - `work`: the same of a file that is an agent's work by its name. Nothing is lost if it came into being in this session
 * - `restore`: a file goes back to what was committed. Nothing is lost if it is so already, or is not there
 */
export type LossAt = (path: string, how: 'delete' | 'work' | 'restore') => boolean | undefined

export interface SeenStep {
  readonly tool: string
  /** The description from the tool's server. */
  readonly description?: string | undefined
  readonly arguments?: Readonly<Record<string, unknown>> | undefined
  /** Where the session's programs run: its members replace those of the catalogue's world. */
  readonly world?: World | undefined
  /** Whether the tool runs elsewhere, so that no world is known of it. Default: false. */
  readonly isRemote?: boolean | undefined
  /** Whether something is at a path, seen from where the step begins; undefined if that is not known. Default: nothing is known. */
  readonly isThere?: ((path: string) => boolean | undefined) | undefined
  /** Called with the paths of scripts and the ids of messages that the step reads, for the report of its result. They are texts: no event has them. */
  readonly onReads?: ((paths: readonly string[]) => void) | undefined
  /** What is lost for good at a path. Default: nothing is known. */
  readonly lossAt?: LossAt | undefined
}

/** What an effect of a step is done to, as its arguments have it. */
export interface SeenObject {
  readonly name: string | undefined
  /** The command that does it, if the step runs several. */
  readonly command: string | undefined
  /** A path that is deleted, as a path or pattern from where the step begins on the agent's machine; undefined if that is not known. */
  readonly place: string | undefined
}

export interface SeenResult {
  readonly tool: string
  /** A string or any JSON value. `textOf` reads only the beginning and the end of a long one. */
  readonly result?: unknown
  readonly outcome?: 'ok' | 'error' | undefined
  /** Scripts and messages that the step reads, from `onReads`. */
  readonly reads?: readonly string[] | undefined
  /** As `SeenTask.tools`. */
  readonly tools?: readonly string[] | undefined
}

/**
 * Reads the texts of one root session on the client's side and returns the reports that events carry. It keeps no state between calls,
 * so observers with the same key produce the same reports. It never throws, and a report holds no text.
 *
 * @example
 * const observer = createObserver({ catalogue, key: keyOfRoot(deploymentKey, sessionId) })
 * observer.proposed({ tool: 'send_email', arguments: { to: 'ann@example.com' } }) // { fingerprints: ['a…', …], … }
 */
