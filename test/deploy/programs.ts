import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { cacheDirectory, projectRoot } from '../support/paths.js'

const run = promisify(execFile)

/** Where scripts/deploy-tools.sh puts what no package manager has. */
export const toolsDirectory = path.join(cacheDirectory(), 'deploy-tools')

export interface Program {
  readonly name: string
  /** For the options of a test; says how to get the program where it is not there. */
  readonly skip: string | false
  /** Runs it in the project's root, and gives what it prints on stdout; rejects with all it printed where it fails. */
  output(args: readonly string[]): Promise<string>
}

/** The program `name`, from the tools' directory or the PATH. `from` says what has it. */
export function findProgram(name: string, from: string): Program {
  const file = pathOf(name)
  return {
    name,
    skip: skipUnless(file, `${name} is not there: ${from}`),
    output: async (args) => {
      try {
        const { stdout } = await run(file ?? name, [...args], {
          cwd: projectRoot,
          maxBuffer: 64 * 1024 * 1024,
        })
        return stdout
      } catch (error) {
        const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
        throw new Error(`\`${name} ${args.join(' ')}\` failed:\n${stdout}${stderr}`, { cause: error })
      }
    },
  }
}

export const DEBIAN_PROMETHEUS = 'apt install prometheus'
export const DEBIAN_ALERTMANAGER = 'apt install prometheus-alertmanager'
export const DEPLOY_TOOLS = 'scripts/deploy-tools.sh makes it, with Go'

function pathOf(name: string): string | undefined {
  const directories = [path.join(toolsDirectory, 'bin'), ...(process.env.PATH ?? '').split(path.delimiter)]
  return directories.map((directory) => path.join(directory, name)).find((file) => existsSync(file))
}

/** With PLIMSOLL_REQUIRE_BROKERS=1 what is missing is a failure, as it is for the brokers. */
function skipUnless(found: string | undefined, reason: string): string | false {
  if (found !== undefined) return false
  if (process.env.PLIMSOLL_REQUIRE_BROKERS === '1') throw new Error(reason)
  return reason
}
