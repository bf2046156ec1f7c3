import { z } from 'zod'

/** Ids of what stands in a policy: specs, requirements, hazards, … */
export const specIdSchema = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'expected 1–64 letters, digits, `.`, `_`, `-`')
