import { z } from 'zod'
import { lineSchema } from './ids.js'

/** What a client takes a task for whose category nobody declared. The task's text stays where it is. */
export const foundCategorySchema = z.strictObject({
  category: lineSchema(64),
  confidence: z.number().min(0).max(1).describe('How sure the client is, by the words of the task.'),
})
export type FoundCategory = z.infer<typeof foundCategorySchema>
