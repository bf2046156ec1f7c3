import { openArguments, PlimsollError, type EventOf } from '@plimsoll/contracts'

type Values = Readonly<Record<string, unknown>>

/** What can be shown of a step's arguments. */
export type StepArguments =
  | { readonly isWhole: true; readonly values: Values }
  | {
      readonly isWhole: false
      /** Those that are disclosed; undefined where none are. Nothing proves that the step has them, nor that it has no others. */
      readonly values: Values | undefined
      /** What is wrong, as half a sentence. */
      readonly problem: string
      /** The process that proposed the step, and has its arguments; undefined where the log does not say. */
      readonly producer: string | undefined
    }

/** What `proposals`, all of one step, tell of its arguments. */
export function stepArguments(proposals: readonly EventOf<'step.proposed'>[]): StepArguments {
  for (const proposal of proposals) {
    const values = openArguments(proposal)
    if (values) return { isWhole: true, values }
  }
  const [first] = proposals
  if (!first) return unseen('its proposal is not in the log any more', undefined)
  const { arguments: values, argumentsSalt, producer } = first
  const isForged = argumentsSalt !== undefined || proposals.some((each) => !isSame(each.arguments, values))
  if (isForged) return unseen('the log tells arguments that are not those of the step', producer)
  if (!values || Object.keys(values).length === 0) return unseen('none is disclosed', producer)
  return { ...unseen('disclosed in part, and nothing proves them', producer), values }
}

const unseen = (problem: string, producer: string | undefined) =>
  ({ isWhole: false, values: undefined, problem, producer }) as const

/** Lists in each other without end have no text: they are not taken for the same. */
function isSame(a: unknown, b: unknown): boolean {
  try {
    return JSON.stringify(a) === JSON.stringify(b)
  } catch {
    return false
  }
}

/** Throws `arguments_unseen`, naming who can show them, where not all arguments of the step `tool` can be shown. */
export function assertSeen(tool: string, told: StepArguments): void {
  if (told.isWhole) return
  const { problem, producer } = told
  const holder = producer === undefined ? 'its host' : `\`${producer}\`, which proposed it`
  const rule = `disclose: [{ tools: ['${tool}'], arguments: ['*'] }]`
  const gateway = `PLIMSOLL_GATEWAY_DISCLOSE=${tool}`
  throw new PlimsollError(
    'arguments_unseen',
    `nothing was published, for nobody sees here what \`${tool}\` would do: of its arguments, ${problem}. They are with ${holder}: approve it there (an MCP client asks its user), or set \`${rule}\` in that client, \`${gateway}\` at a gateway. \`--deny\` needs no sight; \`--unseen\` approves without`,
  )
}
