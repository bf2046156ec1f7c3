/** What `lab/fit` needs to fit the category and instruction models: the same features that the readers score. */
export { categoryWords } from './category/words.js'
export { CONTEXT_COUNT, createContext, wholeOf } from './instructions/context.js'
export { FEATURE_COUNT, PAIR, SURFACE } from './instructions/features.js'
export { createOutliner } from './instructions/outline.js'
export { createScorer } from './instructions/score.js'
export { hashOf, LEXICON_HASH } from './instructions/words.js'
export { TEXT_WEIGHTS } from './conduct/scan-words.js'
export { ARGUMENT_UNITS_MAX, RESULT_UNITS_MAX, argumentWords, resultWords } from './conduct/text-model.js'
