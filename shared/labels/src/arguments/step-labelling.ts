import type { Signals, ToolLabels, World } from '@plimsoll/contracts'
import type { LossAt } from '../observer-views.js'
import type { ActedOn, WrittenScript } from './effects.js'

/** What one step does. */
export interface StepLabelling {
  /** The catalogue's labels, adjusted by the arguments. Without a catalogue entry: what the arguments alone show, a lower bound. */
  readonly labels: ToolLabels
  /** Whether the arguments lowered the labels, at most to the entry's `least`. If false they only raised them. */
  readonly derived: boolean
  /** The reasons, for people; without text of the call. At most 16. */
  readonly reasons: readonly string[]
  /**
   * Numbers in 0…1; a flag is 1 or absent.
   * - `outside`: share of recipients or hosts outside the organisation
   * - `amount`: amount on a logarithmic scale
   * - `load`: share of a URL's capacity that carries data
   * - `destructive`, `privileged`, `unreadable`: flags
   * - `complete`: all that the call runs and sends is in its arguments and was understood
   * - `records`: it names files or records whose content may leave with it
   * - `external`: it may reach someone outside the organisation; `strangers`: it is unknown whether it does
   * - `runner`: it runs the project's own test, build or lint target
   * - `contained`: a program of a world in which it reaches no host outside the organisation
   * - `code`: it writes what a later step may run: such a target, or a program that can send or start others
   */
  readonly signals: Signals
  /** What irreversible acts are done to, as far as it is known. At most 8. */
  readonly objects: readonly ActedOn[]
  /** Commands of its command line. */
  readonly commands: number
  /** What the call changes, as far as it is known: for each, its names for limits of a task. At most 8. */
  readonly changes: readonly (readonly string[])[]
  /** Names under which what the call makes is own; see `ownName`. At most 8. */
  readonly made: readonly string[]
  /** Paths of files and folders that the call makes, or that were there before. At most 8. */
  readonly claimed: readonly string[]
  /** Paths of files that it changes. At most 8. */
  readonly edited: readonly string[]
  /** Scripts that it writes, and names of those that it runs. At most 4 each. */
  readonly scripts: readonly WrittenScript[]
  readonly runs: readonly string[]
  /** For each of those: what a task may call its file; nothing for a target. */
  readonly runFiles: readonly (readonly string[])[]
  /** Paths of scripts whose text its result shows. At most 4. */
  readonly reads: readonly string[]
  /** Files of programs that it runs: all of it that was not understood. */
  readonly unread: readonly string[]
  /** Arguments whose values stay on this host. */
  readonly saved: readonly string[]
  /** Files that a tool takes along, by their paths; empty if it may take more. At most 4. */
  readonly files: readonly string[]
  /** The file that a tool fetches from a public page, by its name. */
  readonly fetched: string | undefined
  /** Whether it writes a file that is not one of secrets, nor temporary. */
  readonly shows: boolean
}

export interface LabelOptions {
  /** Called with what a reader threw. */
  readonly onError?: ((error: unknown) => void) | undefined
  /** Where the agent's programs and file tools run; other tools are not affected. */
  readonly world?: World | undefined
  /** What is lost for good at a path, for who sees the files; see `LossAt`. Default: nothing is known. */
  readonly lossAt?: LossAt | undefined
  /** Whether the user may have forbidden acts: else `changes` need not say which the call does. Default: yes. */
  readonly mayForbidActs?: boolean
}
