export { openService, type ServiceGround } from './open-service.js'
