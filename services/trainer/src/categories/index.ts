export { categorySamples } from './hold-out-categories.js'
export { fitShippedCategories, isHeldOutTask } from './hold-out-categories.js'
export { categoryHoldOuts, holdOutCategories, type CategoryFigures } from './hold-out-categories.js'
