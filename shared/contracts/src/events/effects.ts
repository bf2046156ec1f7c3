import { z } from 'zod'
import { EFFECT_ACTS, OBJECT_KINDS, REACHES } from '../words.js'
import { fingerprintsSchema } from './fingerprints.js'

/** Effects of one step that are reported; the last stands for those beyond. */
export const EFFECTS_MAX = 8

/**
 * One thing that a step does to one object. Its name stays with the client, which knows it by the first fingerprint. Source:
 * docs/decisions/20261127-effects.md.
 */
export const effectSchema = z.strictObject({
  act: z.enum(EFFECT_ACTS),
  object: z.enum(OBJECT_KINDS).optional().describe('The kind of the object; absent if it is not known.'),
  reach: z
    .enum(REACHES)
    .optional()
    .describe(
      '`project`: inside the working folder; `shared`: beyond it, on this machine or others; `live`: what people use at this moment; `control`: what guards or starts the agent; `disposable`: on a machine that the host declares to be thrown away after the session, so that its loss is as that of own things. Absent if it is not known. Only the monitor says `own`.',
    ),
  names: fingerprintsSchema
    .optional()
    .describe(
      'Fingerprints of its names, as a task may have them, and of those under which the session may have made it. Empty: no task can name it. Absent: only the run shows what it is.',
    ),
  byName: z
    .literal(true)
    .optional()
    .describe(
      'A task asks for it by naming the object alone, unless it only asks to look: pipelines, hooks, timers, other hosts.',
    ),
  ofRecord: z
    .literal(true)
    .optional()
    .describe(
      'The names are ids of a record, which a task means by another name: `records` of earlier results show which it is.',
    ),
  incomplete: z
    .literal(true)
    .optional()
    .describe('The text was not understood as a whole, so the step may do the same to more than this.'),
})
export type Effect = z.infer<typeof effectSchema>

export const effectsSchema = z.array(effectSchema).max(EFFECTS_MAX)
