export { createAsker, type Asked, type AskerOptions } from './asking/asker.js'
export { JUDGE_METRICS } from './metrics.js'
export {
  runJudge,
  JUDGE_LIMITS,
  type JudgeLimits,
  type RunJudgeOptions,
  type RunningJudge,
} from './service.js'
export { startJudgeService, type JudgeService, type JudgeServiceOptions } from './service.js'
export { judgeSettings, type JudgeConfig } from './service.js'
