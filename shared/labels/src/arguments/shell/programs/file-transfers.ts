import { longPattern } from '../../../text/data.js'
import { does, raise } from '../../effects.js'
import { actsOn, namesOfPath } from '../../objects.js'
import { type Call, type ShellContext, operandsOf } from '../call.js'

/** Lines and characters of a text of commands that are read. */
const LINES_MAX = 64
const TEXT_MAX = 16_384

const CLIENTS: ReadonlySet<string> = new Set(['sftp', 'ftp', 'lftp', 'tftp'])
/** Commands of such clients that take away what is on the other host. */
const TAKES = longPattern('file-transfers.TAKES')

/** Records what clients of file transfer take away on another host, by the commands that they are fed or given: `sftp host <<EOF … rm *.csv`. */
export function noteTransferred(call: Call, { effects }: ShellContext): void {
  if (!CLIENTS.has(call.name)) return
  const given = call.args.filter((_, i) => /^(?:-e|-c)$/.test(call.args[i - 1] ?? ''))
  const text = [call.fed ?? '', ...given].join('\n').slice(0, TEXT_MAX)
  const host = (operandsOf(call)[0] ?? '').split('@').at(-1)?.split(':')[0] ?? ''
  for (const line of text.split(/[\n;]/).slice(0, LINES_MAX)) {
    const [, path] = TAKES.exec(line) ?? []
    if (path === undefined) continue
    raise(
      effects,
      { capability: 'network', reversibility: 'irreversible' },
      'files of another host are deleted',
    )
    does(effects, 'delete')
    actsOn(effects, 'delete', {
      kind: 'path',
      reach: 'live',
      names: namesOfPath(path.trim()),
      thing: `${host}:${path.trim()}`,
    })
  }
}
