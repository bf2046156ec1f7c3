import * as sdk from 'ai-6'
import { declareSdkSuite, type Sdk } from './sdk-suite.js'

declareSdkSuite({ sdk: sdk as unknown as Sdk, specificationVersion: 'v3' })
