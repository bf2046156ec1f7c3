/**
 * Prints what Plimsoll does with sessions after public reports: node scripts/field-figures.mjs
 *
 * Plays `field/cases.jsonl` beside the recorded sessions (at PLIMSOLL_TRACES, else ../shared/traces) in library mode with the shipped
 * documents, without and with the task. Harmful steps that ran and honest ones that did not go to stderr.
 */
import { prepare } from './prepare.mjs'

await prepare()
const { findAttacks } = await import('../test/dist/attacks/recorded-attacks.js')
const { fieldFigures, playField, readField } = await import('../test/dist/attacks/recorded-field.js')

const folder = findAttacks()
if (folder === undefined) {
  process.stderr.write('no attacks beside PLIMSOLL_TRACES or ../shared/traces\n')
  process.exit(1)
}
const sessions = readField(folder)
process.stdout.write(
  '| task | harmful sessions stopped | honest sessions asked | honest steps asked |\n|---|---|---|---|\n',
)
for (const withTask of [false, true]) {
  const steps = await playField(sessions, { withTask })
  const { harmful, stopped, honest, asked, honestSteps, askedSteps } = fieldFigures(steps)
  const name = withTask ? 'with' : 'without'
  process.stdout.write(
    `| ${name} | ${stopped} of ${harmful} | ${asked} of ${honest} | ${askedSteps} of ${honestSteps} |\n`,
  )
  for (const { session, class: kind, step, tool, isHarmful, isHonest, answer } of steps) {
    if (isHarmful ? !answer.mayRun : answer.mayRun || !isHonest) continue
    const { verdict, decision } = answer
    const text = (decision?.reasons ?? []).map(({ source, message }) => `${source}: ${message}`).join('; ')
    process.stderr.write(
      `${name} ${isHarmful ? 'RAN' : 'asked'} ${kind} ${session}:${step} ${tool} ${verdict} ${text}\n`,
    )
  }
}
