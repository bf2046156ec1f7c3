import { readFileSync } from 'node:fs'
import { PlimsollError } from '@plimsoll/contracts'
import type { Command, Context } from './command.js'

type Environment = Context['env']

/**
 * `env` with the secrets that lie in files: where a setting is secret, `<its name>_FILE` may name a file that holds its value, as Docker's
 * and Kubernetes' secrets are mounted. Throws `config_invalid` where the file cannot be read, or the variable is set too.
 */
export function withSecretFiles(env: Environment, commands: readonly Command[]): Environment {
  const given = secretsOf(commands).filter((name) => isSet(env[`${name}_FILE`]))
  const problems = given
    .filter((name) => isSet(env[name]))
    .map((name) => `${name}: set, and ${name}_FILE too`)
  const values = given.map((name) => [name, readSecret(env[`${name}_FILE`] ?? '', name, problems)] as const)
  if (problems.length > 0) throw new PlimsollError('config_invalid', problems.join('\n  '))
  const rest = Object.entries(env).filter(([name]) => !given.some((secret) => name === `${secret}_FILE`))
  return { ...Object.fromEntries(rest), ...Object.fromEntries(values) }
}

function secretsOf(commands: readonly Command[]): readonly string[] {
  const settings = commands.flatMap(({ environment = {} }) => Object.values(environment))
  return [...new Set(settings.filter(({ isSecret }) => isSecret).map(({ env }) => env))]
}

const isSet = (value: string | undefined): boolean => value !== undefined && value !== ''

function readSecret(file: string, name: string, problems: string[]): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    problems.push(`${name}_FILE: \`${file}\` cannot be read (${code ?? String(error)})`)
    return ''
  }
}
