import { preparsePolicySet, statefulIsAuthorized } from '@cedar-policy/cedar-wasm/nodejs'

const POLICIES = 100
const SET = 'bench'

/**
 * Answers one request by a hundred Cedar policies, parsed once, as an agent's host would ask about a tool call. It knows no session: the
 * labels of the step stand in the request.
 *
 * @throws Error if Cedar cannot answer: a figure of errors would look quick
 */
export function createCedarCheck(): () => void {
  const policies = Object.fromEntries(
    Array.from({ length: POLICIES }, (_, i) => [`policy-${i}`, policyOf(i)]),
  )
  const parsed = preparsePolicySet(SET, { staticPolicies: policies })
  if (parsed.type !== 'success')
    throw new Error(`Cedar refuses the policies: ${JSON.stringify(parsed.errors)}`)
  return () => {
    const answer = statefulIsAuthorized({
      principal: { type: 'Agent', id: 'mail-assistant' },
      action: { type: 'Action', id: 'call' },
      resource: { type: 'Tool', id: 'send_email' },
      context: { capability: 'network', exposure: 3, steps: 7, irreversible: true },
      preparsedPolicySetId: SET,
      entities: [],
    })
    if (answer.type !== 'success' || answer.response.diagnostics.errors.length > 0)
      throw new Error(`Cedar cannot answer: ${JSON.stringify(answer)}`)
  }
}

/** As much as a policy of one step can say; every fourth looks at all tools. */
function policyOf(i: number): string {
  const resource = i % 4 === 0 ? 'resource' : `resource == Tool::"tool-${i}"`
  const effect = i === 0 ? 'permit' : 'forbid'
  const condition =
    i === 0 ? 'true' : `context.exposure > 3 && context.capability == "network" && context.steps > ${i}`
  return `${effect}(principal, action, ${resource}) when { ${condition} };`
}
