import { z } from 'zod'

/** Steps of one recorded session. */
const STEPS_MAX = 100_000

const fold = z.int().min(0).max(4)

/**
 * One recorded session: what fitting and replaying use of it, the rest is dropped as it is read. Source: the README beside the recordings.
 */
export const traceSchema = z.object({
  source: z.string().min(1),
  trace_id: z.string().min(1),
  model: z.string().default(''),
  /** What the agent was asked to do. */
  task: z.string().default(''),
  category_hint: z.string().min(1).max(64).default('other'),
  suite: z.string().default(''),
  label: z.object({
    /** Null: not known. */
    unsafe: z.boolean().nullable(),
    /** `i` of the step that was the violation. */
    violation_step: z.int().min(0).nullish(),
    /** `i` of the step whose result first held what an attacker had hidden. */
    injection_seen_step: z.int().min(0).nullish(),
    /** Began to do harm and did not finish it. */
    partial: z.boolean().nullish(),
    /** The harm is in the agent's words alone: no step did it. */
    text_only: z.boolean().nullish(),
    /** Safe because the task is harmless: nobody looked. */
    assumed: z.boolean().nullish(),
    /** Whether two labellers agree, where two were asked. */
    agree: z.boolean().nullish(),
  }),
  /** `template:goal`, where the session was attacked: the wording around the injected goal, and the goal. */
  attack: z.string().nullish(),
  /** Under which name the descriptions of its tools stand in `tools.json` beside the file. */
  tools_ref: z.string().nullish(),
  split: z.string().nullish(),
  /** By the attack's goal, where the session was attacked. */
  attack_fold: fold.nullish(),
  /** By the user's task. */
  task_fold: fold.nullish(),
  steps: z
    .array(
      z.object({
        i: z.int().min(0),
        tool: z.string(),
        args: z.record(z.string(), z.unknown()).optional(),
        /** Any JSON. */
        result: z.unknown().optional(),
        error: z.boolean().nullish(),
        executed: z.boolean().nullish(),
      }),
    )
    .max(STEPS_MAX),
})
export type Trace = z.infer<typeof traceSchema>

/** The fold a session is scored in: by attack where it was attacked, else by task; undefined where the file has no folds. */
export function foldOf(trace: Trace): number | undefined {
  return trace.attack_fold ?? trace.task_fold ?? undefined
}

const TEST_FOLD = 4

/** Whether a session is kept from everything that ships: the test split, and fold 4. */
export function isHeldOut(trace: Trace): boolean {
  return trace.split === 'test' || foldOf(trace) === TEST_FOLD
}
