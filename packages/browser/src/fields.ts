/** Loaded when a pointer reaches the fields of an API page, or a reader opens or looks for one. */
export { lightLine } from './field-lines.ts'
export { findField } from './find-field.ts'
export { loadNestedFields } from './nested-fields.ts'
