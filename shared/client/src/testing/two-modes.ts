import type { ClientSettings } from '../link.js'
import { createGuard } from '../guard.js'
import type { Answer, PlimsollClient } from '../session.js'
import { testDocuments } from './documents.js'
import { createManualTime, type ManualTime } from './manual-time.js'
import { createRig } from './rig.js'

/** A client of either mode, so that what both promise is tested of both. */
export interface ModeRig {
  readonly client: PlimsollClient
  readonly time: ManualTime
  resolve(asked: Answer, resolution: 'approved' | 'denied'): Promise<void>
}

type TestContext = Parameters<typeof createRig>[0]
export type MakeMode = (test: TestContext, settings?: Pick<ClientSettings, 'mode'>) => Promise<ModeRig>

export const TWO_MODES: readonly (readonly [string, MakeMode])[] = [
  ['library', createLibraryRig],
  ['log', createLogRig],
]

async function createLibraryRig(...[test, settings]: Parameters<MakeMode>): Promise<ModeRig> {
  const time = createManualTime()
  const { clock, timers } = time
  const client = await createGuard({ documents: await testDocuments(), clock, timers, ...settings })
  test.after(() => client.close())
  const resolve: ModeRig['resolve'] = async (asked, resolution) => {
    await client.approve(asked, { by: 'ann', resolution })
  }
  return { client, time, resolve }
}

async function createLogRig(...[test, settings]: Parameters<MakeMode>): Promise<ModeRig> {
  const { client, time, approve } = await createRig(test, { ...(settings && { settings }) })
  return { client, time, resolve: (asked, resolution) => approve(asked.decision, resolution) }
}
