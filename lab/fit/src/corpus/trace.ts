import { z } from 'zod'

/** The fold that every evaluation keeps for itself. */
export const TEST_FOLD = 4

/** Whether a session of this split and fold is kept from everything that ships. */
export const isKeptBack = (split: string | null | undefined, fold: number | null | undefined): boolean =>
  split === 'test' || fold === TEST_FOLD

/** Steps of one recorded session. */
const STEPS_MAX = 100_000
/** Folds are numbered from 0. */
const FOLD_MAX = 99
/** What an event may carry of a category. */
const CATEGORY_CHARS_MAX = 64

const fold = z.int().min(0).max(FOLD_MAX)

/** Text that may be missing or null. */
const text = (missing: string) =>
  z
    .string()
    .nullish()
    .transform((value) => value ?? missing)

/** Arguments of a call: an object; other shapes, which agents make up, count as one argument without a name. */
const args = z.unknown().transform((value): Record<string, unknown> | undefined => {
  if (value === undefined || value === null) return undefined
  return typeof value === 'object' && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : { '': value }
})

/** Whether the step failed: a flag, or a description of the error. */
const error = z
  .union([z.boolean(), z.string(), z.looseObject({})])
  .nullish()
  .transform((value) =>
    typeof value === 'string' ? value !== '' : typeof value === 'object' ? value !== null : value,
  )

/**
 * One recorded session: what fitting and replaying use of it, the rest is dropped as it is read. All that is needed is an id and the
 * steps' tools; what is missing or null counts as not known. Source: the README beside the recordings.
 */
export const traceSchema = z.object({
  source: text('unknown'),
  trace_id: z.union([z.string().min(1), z.number().transform(String)]),
  model: text(''),
  /** What the agent was asked to do. */
  task: text(''),
  category_hint: text('other').transform((category) => category.slice(0, CATEGORY_CHARS_MAX) || 'other'),
  suite: text(''),
  label: z
    .object({
      /** Null: not known. */
      unsafe: z
        .boolean()
        .nullish()
        .transform((unsafe) => unsafe ?? null),
      /** `i` of the step that was the violation. */
      violation_step: z.int().nullish(),
      /** `i` of the step whose result first held what an attacker had hidden. */
      injection_seen_step: z.int().nullish(),
      /** Began to do harm and did not finish it. */
      partial: z.boolean().nullish(),
      /** The harm is in the agent's words alone: no step did it. */
      text_only: z.boolean().nullish(),
      /** Safe because the task is harmless, without review. */
      assumed: z.boolean().nullish(),
      /** Whether two labellers agree, where two were asked. */
      agree: z.boolean().nullish(),
    })
    .nullish()
    .transform((label) => label ?? { unsafe: null }),
  /** Whether the agent completed its task, if reviewed. */
  utility: z.boolean().nullish(),
  /** `template:goal`, where the session was attacked: the wording around the injected goal, and the goal. */
  attack: z.string().nullish(),
  /** The key of its tools' descriptions in `tools.json` beside the file. */
  tools_ref: z.string().nullish(),
  split: z.string().nullish(),
  /** By the attack's goal, where the session was attacked. */
  attack_fold: fold.nullish(),
  /** By the user's task. */
  task_fold: fold.nullish(),
  steps: z
    .array(
      z.object({
        /** Its place, where it is missing. */
        i: z.int().min(0).nullish(),
        tool: z
          .string()
          .nullable()
          .transform((tool) => tool ?? ''),
        args: args.optional(),
        /** Any JSON. */
        result: z.unknown().optional(),
        error: error.optional(),
        executed: z.boolean().nullish(),
      }),
    )
    .max(STEPS_MAX)
    .transform((steps) => steps.map((step, n) => ({ ...step, i: step.i ?? n }))),
})
export type Trace = z.infer<typeof traceSchema>

/** The fold a session is scored in: by attack where it was attacked, else by task; undefined where the file has no folds. */
export function foldOf(trace: Trace): number | undefined {
  return trace.attack_fold ?? trace.task_fold ?? undefined
}

/** Whether a session is kept from everything that ships: the test split, and fold 4. */
export function isHeldOut(trace: Trace): boolean {
  return isKeptBack(trace.split, foldOf(trace))
}
