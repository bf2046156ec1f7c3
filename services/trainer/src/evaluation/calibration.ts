import {
  brierScore,
  brierSkill,
  calibrationError,
  reliabilityCurve,
  riskiestError,
  type ReliabilityBin,
} from '@plimsoll/chains'

/** Forecasts beside what came true (1) or did not (0), step by step: as many of the one as of the other. */
export interface Forecasts {
  readonly probability: number[]
  readonly came: number[]
}

/** How far probabilities mean what they say. */
export interface CalibrationFigures {
  readonly steps: number
  /** Share of the steps in which it came. */
  readonly rate: number
  readonly brier: number
  /** 1 − brier ÷ that of forecasting `rate` each time. */
  readonly skill: number
  /** Mean distance between forecast and truth over ten bins of like many steps. */
  readonly error: number
  /** The distance in the tenth of the steps with the highest forecasts. */
  readonly riskiestTenth: number
  readonly bins: readonly ReliabilityBin[]
}

export function calibrationOf({ probability, came }: Forecasts): CalibrationFigures {
  return {
    steps: came.length,
    rate: came.reduce((sum, one) => sum + one, 0) / came.length,
    brier: brierScore(probability, came),
    skill: brierSkill(probability, came),
    error: calibrationError(probability, came),
    riskiestTenth: riskiestError(probability, came),
    bins: reliabilityCurve(probability, came),
  }
}
