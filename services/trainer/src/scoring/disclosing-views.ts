import type { Disclose } from '@plimsoll/policy'
import type { Views } from './play.js'

/** Views that tell the arguments which `disclose` lets travel, as a client does. */
export const disclosingViews = (views: Views, disclose: Disclose): Views => ({
  ...views,
  proposed: (step) => {
    const seen = views.proposed(step)
    const told = disclose(step.tool, step.args)
    return told ? Object.assign({ arguments: told }, seen) : seen
  },
})
