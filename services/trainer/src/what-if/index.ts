export {
  SESSION_TRUTHS,
  type Compared,
  type DecisionDiff,
  type DiffExample,
  type SpecDiff,
  type ToolDiff,
} from './diff.js'
export { whatIfTopic, type TopicDiff, type WhatIfTopicOptions } from './what-if-topic.js'
export { whatIfFiles, type WhatIfFilesOptions } from './what-if-files.js'
