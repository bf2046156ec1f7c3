import type { Catalogue } from '@plimsoll/contracts'
import {
  createObserver,
  keyOfRoot,
  type InstructionModel,
  type Observer,
  type ObserverPart,
} from '@plimsoll/labels'

/** Fitted models that read texts; those that ship where they are left out. */
export interface TextModels {
  readonly instructions?: InstructionModel
}

/** How recorded texts are seen. */
export interface Sight extends TextModels {
  readonly without?: readonly ObserverPart[]
}

/** Any key does: nothing of a session is compared with another, and equal values are equal under each. */
const KEY = keyOfRoot('recorded sessions', 'evaluation')

/** What a client would tell of recorded texts, whose category is declared. It remembers nothing, so that one serves all sessions. */
export const evaluationObserver = (catalogue: Catalogue, { without = [], ...models }: Sight = {}): Observer =>
  createObserver({ catalogue, key: KEY, models, without: [...without, 'category'] })
