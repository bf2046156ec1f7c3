export { kafkaConnectionOf, type KafkaConnection } from './connection.js'
export * from './event-log.js'
