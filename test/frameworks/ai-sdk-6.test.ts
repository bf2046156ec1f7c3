import * as sdk from 'ai-6'
import type { Sdk } from './agents/sdk-agent.js'
import { declareSdkSuite } from './sdk-suite.js'

declareSdkSuite({ sdk: sdk as unknown as Sdk, specificationVersion: 'v3' })
