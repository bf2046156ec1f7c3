import { parseArgs } from 'node:util'
import kafkajs, { type AclEntry, type AclOperationTypes } from 'kafkajs'
import { blocksOf } from '../../reference/hand-written.js'

// A module of the older kind, of whose exports Node finds only some by name.
const {
  AclOperationTypes: Operations,
  AclPermissionTypes,
  AclResourceTypes,
  Kafka,
  logLevel,
  ResourcePatternTypes,
} = kafkajs

const OPERATIONS: Readonly<Record<string, AclOperationTypes>> = {
  Read: Operations.READ,
  Write: Operations.WRITE,
  Create: Operations.CREATE,
  Describe: Operations.DESCRIBE,
  DescribeConfigs: Operations.DESCRIBE_CONFIGS,
}

/** Gives the Kafka at `broker` the rules that `page` states as lines of `ACLS …`: what kafka-acls.sh would make of them. */
export async function allow(broker: string, page: string): Promise<void> {
  const lines = blocksOf(page, 'text').flatMap(
    (block) => block.replaceAll(/\\\n\s*/g, '').match(/^ACLS .*$/gm) ?? [],
  )
  const acl = lines.flatMap(entriesOf)
  const admin = new Kafka({ clientId: 'acls', brokers: [broker], logLevel: logLevel.NOTHING }).admin()
  await admin.connect()
  try {
    await admin.createAcls({ acl })
  } finally {
    await admin.disconnect()
  }
}

/** Throws where kafka-acls.sh would: on options that it does not have, and operations that we do not know. */
function entriesOf(line: string): AclEntry[] {
  const many = { type: 'string', multiple: true, default: [] as string[] } as const
  const { values } = parseArgs({
    args: line.split(/\s+/).slice(1),
    options: {
      add: { type: 'boolean' },
      'allow-principal': { type: 'string' },
      operation: many,
      topic: many,
      group: many,
      'resource-pattern-type': { type: 'string', default: 'literal' },
    },
  })
  const resources = [
    ...values.topic.map((name) => [AclResourceTypes.TOPIC, name] as const),
    ...values.group.map((name) => [AclResourceTypes.GROUP, name] as const),
  ]
  return resources.flatMap(([resourceType, resourceName]) =>
    values.operation.map((name) => {
      const operation = OPERATIONS[name]
      if (operation === undefined) throw new Error(`no operation ${name}: ${line}`)
      return {
        resourceType,
        resourceName,
        resourcePatternType:
          values['resource-pattern-type'] === 'prefixed'
            ? ResourcePatternTypes.PREFIXED
            : ResourcePatternTypes.LITERAL,
        principal: values['allow-principal'] ?? '',
        host: '*',
        operation,
        permissionType: AclPermissionTypes.ALLOW,
      }
    }),
  )
}
