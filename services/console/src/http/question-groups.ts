import { createHash } from 'node:crypto'
import type { QuestionGroup } from '../api.js'
import type { Question } from '../shapes.js'

/** How fast the lead of the question that expires first falls, milliseconds: so much later, it has half of it. */
const SOON_MS = 60_000

/** Groups questions that are alike, the most at risk and the first to expire first. */
export function groupQuestions(questions: readonly Question[]): readonly QuestionGroup[] {
  const groups = new Map<string, Question[]>()
  for (const question of questions) {
    const id = idOf(question)
    const group = groups.get(id)
    if (group) group.push(question)
    else groups.set(id, [question])
  }
  const firstMs = Math.min(...questions.map(({ expiresAt }) => expiresAt))
  return [...groups]
    .map(([id, all]) => groupOf(id, all))
    .sort((a, b) => rankOf(b, firstMs) - rankOf(a, firstMs))
}

/** Arguments are shown in full or by their digest, which differs from session to session: then questions are alike by what is shown. */
function idOf({ tenant, tool, arguments: { lines, isWhole }, argumentsDigest, reasons }: Question): string {
  const shown = isWhole ? lines : [argumentsDigest]
  const codes = reasons
    .filter(({ liftedBy }) => liftedBy === undefined)
    .map(({ source, code }) => [source, code])
  return createHash('sha256')
    .update(JSON.stringify([tenant, tool, shown, codes]))
    .digest('base64url')
    .slice(0, 22)
}

function groupOf(id: string, all: readonly Question[]): QuestionGroup {
  const questions = all.toSorted((a, b) => a.expiresAt - b.expiresAt)
  return {
    id,
    questions,
    probability: Math.max(...all.map(({ probability = 0 }) => probability)),
    expiresAt: questions[0]?.expiresAt ?? 0,
  }
}

/** P(h), up to twice as much for the group that expires first. */
const rankOf = ({ probability, expiresAt }: QuestionGroup, firstMs: number): number =>
  (probability + 0.01) * (1 + SOON_MS / (SOON_MS + expiresAt - firstMs))
