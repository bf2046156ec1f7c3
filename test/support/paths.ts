import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** The project's root, seen from `test/dist/support/`. */
export const projectRoot = fileURLToPath(new URL('../../../', import.meta.url))

/** What may be kept between runs; a machine's own cache where PLIMSOLL_CACHE names one. */
export const cacheDirectory = (): string => process.env.PLIMSOLL_CACHE ?? path.join(projectRoot, '.cache')
