/** For Node 24: the frameworks that need it. Prints their figures as one JSON object. */
import { createHooks } from '@plimsoll/client/mastra'
import * as sdk from 'ai'
import { agentAt } from '../../frameworks/agents/mastra-agent.js'
import { runSdk } from '../../frameworks/agents/sdk-agent.js'
import { timeCourses, type RunAgent } from './framework-courses.js'

const runSdk7: RunAgent = ({ session, tools }, script, isGuarded) =>
  runSdk({ sdk, specificationVersion: 'v4' }, { tools, script, session: isGuarded ? session : undefined })

const runMastra: RunAgent = ({ session, tools }, script, isGuarded) =>
  agentAt({ tools }, script).agent.generate('Go.', {
    maxSteps: script.length + 1,
    ...(isGuarded && { hooks: createHooks(session) }),
  })

const figures = await timeCourses([
  { name: 'Vercel AI SDK 7', run: runSdk7, turns: 50, rounds: 12 },
  { name: 'Mastra', run: runMastra, turns: 50, rounds: 12 },
])
process.stdout.write(JSON.stringify(figures))
