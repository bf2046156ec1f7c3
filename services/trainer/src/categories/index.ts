export { categorySamples } from './category-samples.js'
export { fitShippedCategories, isHeldOutTask } from './fit-shipped-categories.js'
export { categoryHoldOuts, holdOutCategories, type CategoryFigures } from './hold-out-categories.js'
