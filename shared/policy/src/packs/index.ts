export { PACK_NAMES, PACKS_FOLDER, parsePack, shippedPack, type PackName } from '../check/inspect-policy.js'
