import { createEmbeddedLog, createEmbeddedTopics } from '@plimsoll/runtime/embedded'
import { createKafkaLog } from '@plimsoll/runtime/kafka'
import { kafka } from '../../support/components/components.js'
import { eventLogContract } from './event-log.contract.js'

const topics = createEmbeddedTopics()

eventLogContract({ name: 'embedded', skip: false, open: () => createEmbeddedLog({ topics }) })
eventLogContract({ name: 'kafka', skip: kafka.skip, open: () => createKafkaLog({ brokers: kafka.brokers }) })
