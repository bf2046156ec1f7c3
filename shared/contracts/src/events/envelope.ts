import { z } from 'zod'
import { idSchema } from '../ids.js'

/** The schema number this release writes and reads. */
export const EVENT_SCHEMA = 1

/** What every event has. */
export const envelope = {
  schema: z.literal(EVENT_SCHEMA),
  id: idSchema,
  sessionId: idSchema,
  producer: idSchema.describe('The writer; one name per process, so that its numbers are unique.'),
  seq: z.int().min(0).describe("Number of this event among the producer's events of the session, from 0."),
  time: z
    .int()
    .min(0)
    .describe(
      "The producer's clock, milliseconds since 1970. Information only: decisions use the log's append time.",
    ),
}
