export { JUDGE_METRICS } from './metrics/index.js'
export { runJudge, type JudgeLimits, type RunJudgeOptions, type RunningJudge } from './run-judge.js'
export { startJudgeService, type JudgeService, type JudgeServiceOptions } from './service.js'
export { judgeSettings, type JudgeConfig } from './settings.js'
