import { type Container, startContainer } from '../docker/container.js'
import { kafkaJars } from './jars.js'
import { kafkaAnswers } from './probe.js'
import { asEnvironment, kafkaSettings } from './settings.js'

const [clients, broker, controller] = [9092, 9094, 9093]

/** The one of docker-compose.yml. */
export const kafkaImage = (): string => `apache/kafka:${kafkaJars().version}`

/** Apache Kafka in a container. PLIMSOLL_KAFKA_IMAGE names another image of the same make, say of a mirror. */
export async function startDockerKafka(): Promise<Container & { brokers: string[] }> {
  const container = await startContainer({
    image: process.env.PLIMSOLL_KAFKA_IMAGE ?? kafkaImage(),
    port: clients,
    environment: (host, port) =>
      asEnvironment(
        kafkaSettings({
          PLAINTEXT: { bind: '0.0.0.0', port: clients, advertised: `${host}:${port}` },
          BROKER: { bind: '0.0.0.0', port: broker, advertised: `localhost:${broker}` },
          CONTROLLER: { bind: '0.0.0.0', port: controller, advertised: `localhost:${controller}` },
        }),
      ),
    answers: (host, port) => kafkaAnswers([`${host}:${port}`]),
  })
  return { ...container, brokers: [`${container.host}:${container.port}`] }
}
