export {
  adopt,
  updateCandidateMemory,
  EMPTY_CANDIDATE_MEMORY,
  type CandidateMemory,
} from './candidate-memory.js'
export { shadowOf, type Shadow, type ShadowJudgement } from './shadow.js'
export {
  changeOf,
  hasOtherReasons,
  VERDICT_CHANGES,
  type Cause,
  type ChangeKind,
  type Judged,
  type StepChange,
} from './verdict-change.js'
