import { longPattern } from '../../text/data.js'
import { isRecord } from '../paths.js'

/** Folders that projects and people usually have already: nobody makes up such a name for something new. */
const USUAL: ReadonlySet<string> = new Set(
  `src lib libs app apps data database databases db docs doc test tests spec specs config configs conf public static assets images img media scripts
   script bin include vendor migrations uploads upload storage models controllers views components pages routes services utils helpers types api server
   client web www html frontend backend packages modules plugins resources templates styles css js fonts home user users etc var opt srv notebooks
   datasets dataset results figures papers projects project work workspace repo repos infra deploy k8s terraform ansible charts content posts blog
   desktop downloads main master prod production staging live`
    .split(/\s+/)
    .filter((word) => word !== ''),
)
/** Words for what people keep. */
const KEPT = longPattern('new-names.KEPT')
/** Words for what is thrown away. */
const SCRATCH = longPattern('new-names.SCRATCH')

/** Folders of this machine below which projects lie, with their name. */
const OF_PROJECT = longPattern('new-names.OF_PROJECT')
const SCRATCH_PLACE = longPattern('new-names.SCRATCH_PLACE')

/**
 * Whether a path may well have been new when a step wrote it, by its name alone: it lies in the working folder or in a project, is none of the
 * usual folders, and its name says nothing that people keep. The last resort where nobody sees the files.
 */
export function mayBeNew(path: string): boolean {
  if (SCRATCH_PLACE.test(path)) return true
  if (/^[~$]|(?:^|\/)\.\.(?:\/|$)/.test(path) || path.length > 256) return false
  if (path.startsWith('/') && !OF_PROJECT.test(path)) return false
  const name = path.replace(/\/+$/, '').split('/').at(-1) ?? ''
  if (SCRATCH.test(name)) return true
  return !USUAL.has(name.toLowerCase()) && !KEPT.test(name) && !isRecord(name)
}

/** What an absolute path of a project is called inside it, as far as its text shows where the project begins: at most two forms. */
export function tailsOf(path: string): string[] {
  const root = OF_PROJECT.exec(path)?.[0]
  if (root === undefined) return []
  const tail = path.slice(root.length)
  const next = tail.indexOf('/') + 1
  return [tail, ...(next > 0 && tail.includes('/', next) ? [tail.slice(next)] : [])]
}
