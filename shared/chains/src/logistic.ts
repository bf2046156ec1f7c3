/** The probability that a margin (log-odds) stands for. */
export const logistic = (margin: number): number => 1 / (1 + Math.exp(-margin))

/** The log-odds of a probability above 0 and below 1. */
export const logit = (probability: number): number => Math.log(probability / (1 - probability))
