import {
  bundleSchema,
  catalogueSchema,
  controlSchema,
  decisionSchema,
  eventSchema,
  partitionReportSchema,
  shadowRecordSchema,
  writtenPolicySchema,
} from '@plimsoll/contracts'
import { z } from 'zod'

export type JsonSchema = z.core.JSONSchema.BaseSchema
/** What AsyncAPI reads, and what everybody else does. */
export type Draft = 'draft-07' | 'draft-2020-12'

interface Contract {
  readonly schema: z.ZodType
  readonly title: string
  readonly description: string
}

/** What crosses a process, by the name of its schema's file. */
export const CONTRACTS = {
  event: {
    schema: eventSchema,
    title: 'Event',
    description:
      'One thing that happened in a session: a record of the events topic, keyed by its session id.',
  },
  control: {
    schema: controlSchema,
    title: 'Control change',
    description:
      'What an operator changed for many sessions: one record in each partition of the events topic, and one in the registry.',
  },
  decision: {
    schema: decisionSchema,
    title: 'Decision',
    description:
      'The verdict on a proposed step, with every reason: a record of the decisions topic, keyed by its session id.',
  },
  bundle: {
    schema: bundleSchema,
    title: 'Model bundle',
    description:
      'Chains as tables, with thresholds and origin: a document of the registry, keyed by its content hash.',
  },
  policy: {
    schema: writtenPolicySchema,
    title: 'Policy',
    description:
      'Specs in tiers, and what each source of verdicts answers: a document of the registry, keyed by its content hash.',
  },
  catalogue: {
    schema: catalogueSchema,
    title: 'Tool catalogue',
    description: 'Which labels which tools carry: a document of the registry, keyed by its content hash.',
  },
  'registry-report': {
    schema: partitionReportSchema,
    title: 'Partition report',
    description:
      'What a partition of the events topic made of the latest control change: a record of the registry, keyed `partition/<number>`.',
  },
  'shadow-record': {
    schema: shadowRecordSchema,
    title: 'Shadow record',
    description:
      'A step on which a candidate in shadow differs from the bundle that judges: a record of the shadow topic, keyed by its session id.',
  },
} as const satisfies Record<string, Contract>
export type ContractName = keyof typeof CONTRACTS

const DIALECTS: Readonly<Record<Draft, JsonSchema['$schema'] & string>> = {
  'draft-07': 'http://json-schema.org/draft-07/schema#',
  'draft-2020-12': 'https://json-schema.org/draft/2020-12/schema',
}

/** The JSON Schema of a contract as a document of its own. Its id is a name and no address. */
export function schemaDocument(name: ContractName, draft: Draft = 'draft-2020-12'): JsonSchema {
  const { schema, title, description } = CONTRACTS[name]
  const $id = `urn:plimsoll:schema:${name}:1`
  return { $schema: DIALECTS[draft], $id, title, description, ...toJsonSchema(schema, draft) }
}

/** The JSON Schema of `schema` with everything inlined; what JSON Schema cannot say is in its `$comment`. */
export function toJsonSchema(schema: z.ZodType, draft: Draft): JsonSchema {
  const { $schema: _, ...body } = z.toJSONSchema(schema, {
    target: draft,
    // As a reader takes it: of decisions it drops members that it does not know.
    io: 'input',
    override: ({ jsonSchema }) => makePortable(jsonSchema),
  })
  return body
}

/** The control characters by their codes: not every language's expressions know them by their category. */
function makePortable(schema: JsonSchema): void {
  if (schema.pattern === String.raw`^\P{Cc}*$`) schema.pattern = String.raw`^[^\u0000-\u001f\u007f-\u009f]*$`
}
