import { z } from 'zod'
import { fingerprintsSchema } from './fingerprints.js'

const fingerprintSchema = fingerprintsSchema.element

const sumSchema = z.strictObject({
  level: z
    .int()
    .min(0)
    .max(1023)
    .describe('The amount on a logarithmic scale: 32 levels are a tenfold, and 1023 is no bound.'),
  currency: fingerprintSchema.optional().describe('Fingerprint of its currency, if it is known.'),
})
export type ReportedSum = z.infer<typeof sumSchema>

const payeeSchema = z.strictObject({
  account: fingerprintSchema
    .optional()
    .describe(
      'Fingerprint of the account; its letter says what it is: `c` an IBAN, `i` a number, `u` a wallet.',
    ),
  names: fingerprintsSchema.max(5).optional().describe('Fingerprints of the names that stand beside it.'),
  sums: z.array(sumSchema).max(3).optional().describe('As much as the text names, for each currency.'),
})
export type ReportedPayee = z.infer<typeof payeeSchema>

export const payeesSchema = z
  .array(payeeSchema)
  .max(12)
  .optional()
  .describe(
    'Whom the text says how to pay: an account, whose it is, and how much. An account of the task or of a trusted result is compared with those of later payments.',
  )

export const giftSchema = z
  .strictObject({
    to: fingerprintsSchema
      .max(24)
      .optional()
      .describe(
        'Whom the step pays or lets in, or the secret that it sets: whole values and those within them.',
      ),
    accounts: fingerprintsSchema
      .max(8)
      .optional()
      .describe('Accounts that the step pays to or writes down; letters as in `payees`.'),
    names: fingerprintsSchema.max(8).optional().describe('Names that its arguments give of these people.'),
    sums: z.array(sumSchema).max(1).optional().describe('As much as it moves.'),
    isCut: z.literal(true).optional().describe('More than these limits was given.'),
  })
  .optional()
  .describe('Whom a step pays or lets in, with what: the monitor compares it with `payees` of earlier texts.')
export type ReportedGift = NonNullable<z.infer<typeof giftSchema>>
