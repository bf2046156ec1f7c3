export { parseToolList, TOOLS_MAX } from './tool-list.js'
export { proposeLabels, type Proposal, type RefusedTool } from './propose.js'
export { lintCatalogue, type LintAgainst, type LintFinding, type LintStatus } from './lint.js'
export { agreementOf, coverageOf, type Agreement, type Coverage } from './coverage.js'
