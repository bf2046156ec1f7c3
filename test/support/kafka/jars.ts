import path from 'node:path'
import { mavenJars } from '../components/maven-jars.js'
import { projectRoot } from '../paths.js'

export const kafkaFiles = path.join(projectRoot, 'test/support/kafka')

export const kafkaJars = () => mavenJars('kafka', 'Apache Kafka', kafkaFiles)
