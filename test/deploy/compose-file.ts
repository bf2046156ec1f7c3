import { parse } from 'yaml'
import { readText } from './rule-files.js'

export interface ComposeService {
  readonly image: string
  readonly build?: { readonly context: string; readonly dockerfile: string }
  readonly command?: readonly string[]
  readonly entrypoint?: readonly string[]
  readonly environment?: Readonly<Record<string, string | number>>
  readonly ports?: readonly string[]
  readonly expose?: readonly string[]
  readonly volumes?: readonly string[]
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
  readonly healthcheck?: { readonly test?: readonly string[]; readonly disable?: boolean }
  readonly restart?: string
  readonly pull_policy?: string
  readonly read_only?: boolean
  readonly cap_drop?: readonly string[]
}

interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>
  readonly volumes: Readonly<Record<string, unknown>>
}

export const COMPOSE_FILE = 'docker-compose.yml'

export const compose = parse(readText(COMPOSE_FILE), { merge: true }) as ComposeFile

/** A volume as `source:target[:mode]`. */
export function volumesOf({ volumes = [] }: ComposeService) {
  return volumes.map((volume) => {
    const [source = '', target = '', mode = 'rw'] = volume.split(':')
    return { source, target, mode, isPath: source.startsWith('.') }
  })
}
