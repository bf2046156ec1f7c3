import type { Labeller } from '@plimsoll/labels'
import type { Corpus } from '../evaluation/corpus.js'
import type { Method } from '../evaluation/method.js'
import { chainMethod } from './chain.js'
import { keywordMethod, lengthMethod, noneMethod, priorMethod } from './simple.js'
import { windowsMethod } from './windows.js'

/** What a method has to be better than, by name. Each is made only where it is asked for. */
export const BASELINES: Readonly<Record<string, (corpus: Corpus, labelOf: Labeller) => Method>> = {
  none: noneMethod,
  keyword: keywordMethod,
  length: lengthMethod,
  prior: priorMethod,
  paper5: (corpus, labelOf) => chainMethod(corpus, labelOf, 'paper5'),
  paper60: (corpus, labelOf) => chainMethod(corpus, labelOf, 'paper60'),
  order2: (corpus, labelOf) => windowsMethod(corpus, labelOf, 2, 'order 2'),
  windows3: (corpus, labelOf) => windowsMethod(corpus, labelOf, 3, '3-step windows'),
}
