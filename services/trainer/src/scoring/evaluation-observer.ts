import type { Catalogue } from '@plimsoll/contracts'
import { createObserver, keyOfRoot, type InstructionModel, type Observer } from '@plimsoll/labels'

/** Fitted models that read texts; those that ship where they are left out. */
export interface TextModels {
  readonly instructions?: InstructionModel
}

/** Any key does: nothing of a session is compared with another, and equal values are equal under each. */
const KEY = keyOfRoot('recorded sessions', 'evaluation')

/** What a client would tell of recorded texts. It remembers nothing, so that one serves all sessions. */
export const evaluationObserver = (catalogue: Catalogue, models: TextModels = {}): Observer =>
  createObserver({ catalogue, key: KEY, models })
