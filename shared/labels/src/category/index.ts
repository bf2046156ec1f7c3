export { findCategory, readCategory, type CategoryReading, type DistinctiveWord } from './find.js'
export { fitCategoryModel, type CategoryFitOptions, type CategorySample } from './fit.js'
export {
  parseCategoryModel,
  shippedCategoryModel,
  SHIPPED_CATEGORY_MODEL,
  type CategoryModel,
} from './model.js'
