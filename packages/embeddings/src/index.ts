export { createEmbedder, type Embedder } from './create-embedder.ts'
export { findModel, type LocalModel, MODEL_INSTALL } from './find-model.ts'
export { VectorFile } from './vector-file.ts'
