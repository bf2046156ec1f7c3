import { createAsker, judgeSettings } from '@plimsoll/judge'
import { parseConfig } from '@plimsoll/runtime'
import type { EvaluateFilesOptions } from '@plimsoll/trainer'

const { url, protocol, model, key, timeoutMs } = judgeSettings

/** Of the settings of `plimsoll judge` those that name a model. */
export const judgeEndpointSettings = { url, protocol, model, key, timeoutMs }

/** The model that the environment names, as judge of so many sessions; undefined where it names none. */
export function judgeIn(
  env: Readonly<Record<string, string | undefined>>,
  sessions: number,
  signal: AbortSignal,
): EvaluateFilesOptions['judge'] {
  if (!env[url.env]) return undefined
  const config = parseConfig(judgeEndpointSettings, env, { prefixes: [] })
  const ask = createAsker({ ...config, key: config.key, signal })
  return {
    sessions,
    model: {
      name: config.model,
      ask: async (question) => {
        const asked = await ask(question)
        return asked.kind === 'answer' ? asked.value : undefined
      },
    },
  }
}
