/** Loaded when a pointer reaches the fields of an API page, or a reader opens a level of them. */
export { lightLine } from './field-lines.ts'
export { loadNestedFields } from './nested-fields.ts'
