import { createEmbeddedRecords, createEmbeddedStore } from '@plimsoll/runtime/embedded'
import { createRedisStore } from '@plimsoll/runtime/redis'
import { redis, uniquePrefix } from '../../support/components/components.js'
import { sessionStoreContract } from './session-store.contract.js'

const prefix = uniquePrefix()
const records = createEmbeddedRecords()

sessionStoreContract({ name: 'embedded', skip: false, open: () => createEmbeddedStore({ records }) })
sessionStoreContract({
  name: 'redis',
  skip: redis.skip,
  open: () => createRedisStore({ url: redis.url, prefix }),
})
