import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { Agent, Runner, tool } from '@openai/agents'
import { createHooks } from '@plimsoll/client/claude-agent'
import { createPlimsollMiddleware } from '@plimsoll/client/langchain'
import { createToolGuardrails } from '@plimsoll/client/openai-agents'
import * as sdk from 'ai-6'
import { createAgent } from 'langchain'
import { deskName, runClaude } from '../../frameworks/agents/claude.js'
import { langchainModel, langchainTools } from '../../frameworks/agents/langchain-agent.js'
import { openAiModel, openAiTools } from '../../frameworks/agents/openai-agent.js'
import { runSdk, type Sdk } from '../../frameworks/agents/sdk-agent.js'
import { obtainNode24 } from '../../support/run/node-24.js'
import { timeCourses, type Course, type RunAgent } from './framework-courses.js'
import type { Report } from '../report.js'

const runLangchain: RunAgent = ({ session, tools }, script, isGuarded) =>
  createAgent({
    model: langchainModel(script),
    tools: langchainTools(tools),
    middleware: isGuarded ? [createPlimsollMiddleware(session)] : [],
  }).invoke({ messages: [{ role: 'user', content: 'Go.' }] }, { recursionLimit: 3 * script.length + 10 })

const runOpenAi: RunAgent = ({ session, tools }, script, isGuarded) => {
  const guardrails = isGuarded ? createToolGuardrails(session) : {}
  const agent = new Agent({
    name: 'desk',
    model: openAiModel(script),
    tools: openAiTools(tools).map((definition) => tool({ ...definition, ...guardrails })),
  })
  return new Runner({ tracingDisabled: true }).run(agent, 'Go.', { maxTurns: script.length + 2 })
}

const runClaudeAgent: RunAgent = (desk, script, isGuarded) =>
  runClaude(desk, script, isGuarded ? createHooks(desk.session, { toolName: deskName }) : undefined)

const sdk6 = { sdk: sdk as unknown as Sdk, specificationVersion: 'v3' } as const
const runSdk6: RunAgent = ({ session, tools }, script, isGuarded) =>
  runSdk(sdk6, { tools, script, session: isGuarded ? session : undefined })

const COURSES: readonly Course[] = [
  { name: 'LangChain', run: runLangchain, turns: 50, rounds: 12 },
  { name: 'OpenAI Agents SDK', run: runOpenAi, turns: 50, rounds: 12 },
  { name: 'Vercel AI SDK 6', run: runSdk6, turns: 50, rounds: 12 },
  { name: 'Claude Agent SDK', run: runClaudeAgent, turns: 40, rounds: 4 },
]

/** A tool call in each framework; those that need Node 22 or later are run under Node 24. */
export async function benchFrameworks(): Promise<Report> {
  return { name: 'frameworks', figures: { ...(await timeCourses(COURSES)), ...(await underNode24()) } }
}

async function underNode24(): Promise<Report['figures']> {
  const node = await obtainNode24()
  if ('missing' in node) throw new Error(node.missing)
  const { stdout } = await promisify(execFile)(node.program, [
    path.join(import.meta.dirname, 'frameworks-24.js'),
  ])
  const figures: Report['figures'] = JSON.parse(stdout)
  return figures
}
