export { openService, type ServiceContext } from './open-service.js'
