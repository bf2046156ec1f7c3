export { PACK_NAMES, PACKS_FOLDER, parsePack, shippedPack, type PackName } from '../document/inspect-policy.js'
