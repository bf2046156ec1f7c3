import { z } from 'zod'
import { EVENT_SCHEMA } from '../events/envelope.js'
import { digestSchema, idSchema, lineSchema, tenantSchema, versionSchema } from '../ids.js'
import { MODES } from '../words.js'

/**
 * Control changes: an operator's settings for many sessions at once. Each is a signed record in every partition of the events topic, so
 * that its position among the sessions' events is part of the log. Source: docs/decisions/20261122-controls.md.
 */
const envelope = {
  schema: z.literal(EVENT_SCHEMA),
  id: idSchema.describe('The same in every partition and in the registry.'),
  partition: z
    .int()
    .min(0)
    .nullable()
    .describe("The partition that it is meant for; null for the registry's copy, which is the audit."),
  time: z
    .int()
    .min(0)
    .describe(
      "The operator's clock, milliseconds since 1970: a change older than the active one is refused.",
    ),
  by: lineSchema(200),
  reason: lineSchema(2000).optional(),
  signature: digestSchema,
}

/** Some of the three documents. */
const someVersionsSchema = z
  .strictObject({
    bundle: versionSchema.optional(),
    policy: versionSchema.optional(),
    catalogue: versionSchema.optional(),
  })
  .refine((versions) => Object.keys(versions).length > 0, 'expected at least one version')
  .meta({ minProperties: 1 })
export type SomeVersions = z.infer<typeof someVersionsSchema>

const activatedSchema = z.strictObject({
  ...envelope,
  type: z.literal('versions.activated'),
  versions: someVersionsSchema,
  running: z.boolean().describe('Whether running sessions move to them too; new ones do always.'),
})

const modeSchema = z.strictObject({
  ...envelope,
  type: z.literal('mode.changed'),
  tenant: tenantSchema
    .optional()
    .describe(
      'Its scope: an agent of a tenant, an agent of any tenant, a tenant, or the fleet if neither is named.',
    ),
  agent: idSchema.optional(),
  mode: z.enum([...MODES, 'inherit']).describe('`inherit` takes the setting for these back.'),
})

const stoppedSchema = z.strictObject({
  ...envelope,
  type: z.literal('fleet.stopped'),
  tenant: tenantSchema.optional().describe('The fleet where it is left out.'),
})

const resumedSchema = z.strictObject({
  ...envelope,
  type: z.literal('fleet.resumed'),
  tenant: tenantSchema.optional(),
})

const shadowSchema = z.strictObject({
  ...envelope,
  type: z.literal('shadow.changed'),
  candidate: someVersionsSchema
    .optional()
    .describe(
      'Each proposal is judged by these too, in place of what its session is pinned to; no verdict depends on it. Nothing is where it is left out.',
    ),
})

export const controlSchema = z.discriminatedUnion('type', [
  activatedSchema,
  modeSchema,
  stoppedSchema,
  resumedSchema,
  shadowSchema,
])
export type Control = z.infer<typeof controlSchema>
export type ControlType = Control['type']
export type ControlOf<T extends ControlType> = Extract<Control, { type: T }>

/**
 * The key of control records: `#` and a number. No session has it, because no id contains `#`. The number is chosen so that the
 * partitioner places the key in the intended partition.
 */
export const CONTROL_KEY = /^#\d+$/

/** Limits of mode settings and of stops; a change beyond them is refused. */
export const CONTROL_LIMITS = { modesMax: 1000, stopsMax: 1000, changesMax: 16 } as const

const offsetSchema = z.string().regex(/^\d+$/)
const activeSchema = z.strictObject({ version: versionSchema, offset: offsetSchema })
const whoSchema = { by: z.string(), time: z.int(), reason: z.string().optional() }

/** The state after all control changes of one partition. */
const controlStateSchema = z.strictObject({
  active: z
    .strictObject({
      bundle: versionSchema.optional(),
      policy: versionSchema.optional(),
      catalogue: versionSchema.optional(),
    })
    .describe('What new sessions are pinned to, where it is not what the monitor was configured with.'),
  running: z
    .strictObject({
      bundle: activeSchema.optional(),
      policy: activeSchema.optional(),
      catalogue: activeSchema.optional(),
    })
    .describe('The version to which running sessions move whose last event is before `offset`.'),
  stops: z
    .array(z.strictObject({ tenant: z.string().nullable(), ...whoSchema }))
    .describe('`tenant` null: the fleet.'),
  modes: z.array(
    z.strictObject({
      tenant: z.string().nullable(),
      agent: z.string().nullable(),
      mode: z.enum(MODES),
      ...whoSchema,
    }),
  ),
  time: z.int().describe('Time of the latest change.'),
  shadow: z
    .strictObject({
      bundle: versionSchema.optional(),
      policy: versionSchema.optional(),
      catalogue: versionSchema.optional(),
      ...whoSchema,
    })
    .optional()
    .describe('The candidate that each proposal is judged by too, to no effect.'),
})
export type ControlState = z.infer<typeof controlStateSchema>

/** The state with its latest changes kept separately, so that the state at an earlier offset can be computed. */
export const controlLogSchema = z.strictObject({
  base: controlStateSchema,
  changes: z.array(z.strictObject({ offset: offsetSchema, control: controlSchema })),
})
export type ControlLog = z.infer<typeof controlLogSchema>
