import { readFileSync } from 'node:fs'
import path from 'node:path'
import { ACTS, EFFECT_ACTS, OBJECT_KINDS, REACHES, claimedLabelsSchema } from '@plimsoll/contracts'
import { z } from 'zod'
import { projectRoot } from '../support/paths.js'

/** The file of what is known of programs, from the project's root. */
export const COMMANDS_FILE = 'shared/labels/data/commands.json'

const wordsSchema = z.union([z.string(), z.array(z.string()).min(2)])
const yes = z.literal(true).optional()
const pattern = z
  .string()
  .regex(/^\/.*\/[a-z]*$/s, 'a pattern stands between slashes')
  .refine((text) => {
    try {
      return (
        new RegExp(text.slice(1, text.lastIndexOf('/')), text.slice(text.lastIndexOf('/') + 1)) instanceof
        RegExp
      )
    } catch {
      return false
    }
  }, 'no valid regular expression')
const LIKE = ['LOOK', 'READ', 'WRITE', 'EXECUTE', 'DESTROY', 'ASK', 'SEND', 'INSTALL'] as const
const labels = z.union([z.enum(LIKE), claimedLabelsSchema.extend({ like: z.enum(LIKE).optional() }).strict()])

const MANNERS = [
  'all',
  'first',
  'last',
  'second',
  'option',
  'fetched',
  'of',
  'inPlace',
  'scripted',
  'elsewhere',
  'unnamed',
] as const

const act = z.strictObject({
  act: z.enum(ACTS),
  reason: z.string().describe('what people read; without words of the call'),
  when: z
    .array(z.string())
    .min(1)
    .describe(
      'lines of words: a word with `-` is an option that must be there, the others are the first operands, `*` is any text, an empty line any call',
    ),
  effect: z.enum(EFFECT_ACTS).optional().describe('what it does, where `act` does not say'),
  object: z.enum(OBJECT_KINDS).optional().describe('the kind of what it is done to; without it a resource'),
  reach: z.enum(REACHES).optional().describe('who is affected'),
  of: z.string().optional().describe('words by which a task names it, besides those of the command'),
  where: z
    .string()
    .optional()
    .describe('words by which a task says which place it means; one has to be there'),
  unnamed: yes.describe('no task names it'),
  byName: yes.describe('a task that names it asks for it'),
  byWords: yes.describe('a word of `of` in a task asks for it; nothing else names it'),
  byAddress: yes.describe('the address in it is what a task has to name'),
  each: yes.describe('each of its operands counts by itself'),
})

const carry = z.strictObject({
  after: z.string().optional().describe('its first operands; without them any call'),
  followedBy: z.string().optional().describe('what follows after those, with options between'),
  texts: z.string().optional().describe('options whose value is a command line'),
  valued: z.string().optional().describe('options that take the next word'),
  operands: z.number().int().min(0).max(4).optional().describe('its own operands before the command'),
  skips: z.string().optional().describe('a word before the command that may be left out'),
  dashes: yes.describe('only what stands behind `--` is the command'),
  host: yes.describe('it runs on another host'),
  strips: z.string().optional().describe('what stands before a command in its text'),
})

const value = z.strictObject({
  verbs: z.array(z.string()).min(1).describe('its first words'),
  places: z.string().describe('options that say where'),
  named: z.number().int().min(1).max(32).optional().describe('how many operands name values'),
  valued: yes.describe('the operand behind the name is its value'),
  values: z.string().optional().describe('options whose value is one'),
  files: z.string().optional().describe('options whose value is a file of values'),
  fileOperand: yes.describe('an operand is such a file'),
})

/** An entry of `data/commands.json`. Unknown fields are refused. */
export const commandEntrySchema = z.strictObject({
  names: wordsSchema.describe('The programs, as they are typed.'),
  kind: z
    .strictObject({
      reason: z.string(),
      labels: z.union([labels, z.strictObject({})]),
      paths: z.enum(['reads', 'writes']).optional(),
      complete: yes,
    })
    .optional()
    .describe(
      'What it is whatever its arguments: `labels` (a name such as `READ`, or labels with `like`), `reason`, whether its operands are paths that it `reads` or `writes`, whether it is `complete`: runs no other program and sends nothing. Without it a program may do anything.',
    ),
  is: z
    .array(
      z.enum([
        'platform',
        'package-manager',
        'ends-services',
        'prints',
        'runs-no-script',
        'changes-shell',
        'privileged',
        'asks-about-itself',
      ]),
    )
    .optional()
    .describe(
      'What else it is. `platform`: its words change a cloud, a cluster or a registry. `asks-about-itself`: what `--yes` answers is about a download or its own settings.',
    ),
  as: z.string().optional().describe('The program whose `subcommands` and `otherwise` it shares.'),
  looks: z
    .string()
    .optional()
    .describe('First words or options by which it only looks; `*` stands for any text.'),
  risky: z
    .strictObject({ options: pattern.optional(), only: pattern.optional() })
    .optional()
    .describe(
      'Arguments that make a harmless program run or reach something: those that match `options`, or that do not match `only`.',
    ),
  subcommands: z
    .array(z.strictObject({ words: wordsSchema, labels }))
    .optional()
    .describe('Labels by the words that it takes.'),
  otherwise: labels.optional().describe('Labels where none of its words is known.'),
  registry: z.string().optional().describe('Words by which a task names the registry that it publishes to.'),
  runs: z
    .strictObject({
      targets: z.union([z.literal('plain'), pattern]).optional(),
      deny: pattern.optional(),
      needs: z.string().optional(),
      options: z.literal('any').optional(),
    })
    .optional()
    .describe(
      "Runs the project's own tests, builds and checks: first words (`targets`), arguments that make it run something else (`deny`); `options`: `any` other option changes nothing of that.",
    ),
  wraps: z
    .strictObject({
      valued: z.string().optional(),
      flags: z.string().optional(),
      operands: z.number().int().min(0).max(4).optional(),
      plain: yes,
    })
    .optional()
    .describe(
      'Runs the command behind its own options: those that take the next word (`valued`), those that do not (`flags`), its own `operands`; `plain`: nothing else changes.',
    ),
  launches: z
    .string()
    .optional()
    .describe(
      'Words behind which it runs a program by its name, as `npx` and `poetry run` do; `*`: the first operand.',
    ),
  carries: z.array(carry).optional().describe('Starts a command that counts for its acts.'),
  writes: z
    .enum(MANNERS)
    .optional()
    .describe(
      'Which operands it writes. `elsewhere`: the last, on this host or another; `scripted`: the last, where options give it commands; `unnamed`: what its input names.',
    ),
  writesBy: z
    .record(z.string(), z.enum(MANNERS))
    .optional()
    .describe('The same by its first words, for a program that writes by some of them: `docker cp`.'),
  makesFile: z
    .string()
    .optional()
    .describe('Options by which it names a file that it makes, and makes again whenever it runs.'),
  makesFolder: z
    .string()
    .optional()
    .describe('First words by which it makes the folder that its last argument names; empty: always.'),
  options: z
    .record(z.string(), wordsSchema)
    .optional()
    .describe('Of `curl` and `wget`: what each option is.'),
  values: z.array(value).optional().describe('Sets values that a service keeps for its programs.'),
  acts: z.array(act).optional().describe('Acts that cannot be taken back, or that let in, send or publish.'),
})
export type CommandEntry = z.infer<typeof commandEntrySchema>

/** Rows of fields that are lists, for the page. */
export const ROWS = { acts: act, carries: carry, values: value } as const

/**
 * Reads entries; each error says which entry is wrong and how.
 *
 * @throws Error with a line for each wrong entry
 */
export function readCommandEntries(text: string): readonly CommandEntry[] {
  const { commands } = JSON.parse(text) as { commands: unknown[] }
  const wrong: string[] = []
  const entries = commands.flatMap((entry, i) => {
    const parsed = commandEntrySchema.safeParse(entry)
    if (parsed.success) return [parsed.data]
    const names = wordsSchema.safeParse((entry as { names?: unknown } | null)?.names).data
    const name = names === undefined ? `number ${i + 1}` : [names].flat().join(' ').slice(0, 60)
    wrong.push(`${COMMANDS_FILE}: entry \`${name}\`: ${z.prettifyError(parsed.error).replaceAll('\n', ' ')}`)
    return []
  })
  if (wrong.length > 0) throw new Error(wrong.join('\n'))
  return entries
}

export const readCommandsFile = (): string => readFileSync(path.join(projectRoot, COMMANDS_FILE), 'utf8')
