import { appendFile } from 'node:fs/promises'

/**
 * Writes what ran in a session as one line of `file`, in the form that `plimsoll replay`, `eval` and `fit` read; nothing without a file.
 * `harmAt`: the step that did harm; undefined if none did.
 */
export function createRecording(file, { name, task, harmAt }) {
  const steps = []
  return {
    add: ({ tool, arguments: args }, { content, isError = false }) =>
      steps.push({ i: steps.length, tool, args, result: content, error: isError }),
    end: async () => {
      if (!file) return
      const label = { unsafe: harmAt !== undefined, violation_step: harmAt ?? null }
      const session = { source: 'calendar', trace_id: name, task, label, utility: true, steps }
      await appendFile(file, `${JSON.stringify(session)}\n`)
    },
  }
}
