export { openService, type ServiceContext as ServiceGround } from './open-service.js'
