import { z } from 'zod'
import { specIdSchema } from '../policy/spec.js'

/** What a deadline is about, by what came due. */
export const dueSchema = z.discriminatedUnion('kind', [
  z
    .strictObject({ kind: z.literal('approval'), decisionId: z.string().min(1).max(400) })
    .describe('The approval request expired.'),
  z
    .strictObject({ kind: z.literal('idle'), lastEventAt: z.int().min(0) })
    .describe("The session has had no event since `lastEventAt`, its state's time."),
  z
    .strictObject({
      kind: z.literal('obligation'),
      spec: specIdSchema,
      since: z
        .int()
        .min(0)
        .describe("When the obligation was opened, milliseconds since 1970 on the log's clock."),
    })
    .describe('No step has paid the obligation of the mustlist spec.'),
])
