export { COMPONENTS } from './allowed/components.ts'
export { islandNames, moduleCode } from './modules/module-code.ts'
export {
  type LoadedFile,
  ModuleLoader,
  type ReadText,
  type StrippedModule,
} from './modules/module-loader.ts'
export { ADDRESS_DISTANCE_MAX } from './page-state.ts'
export { createPageParser, type Page, type PageParser } from './parse-page.ts'
export { CONTENT_LIMITS } from './tree/content-limits.ts'
export { pageSections, type TextSection } from './tree/page-sections.ts'
export type {
  Attributes,
  CodeNode,
  CodeOptions,
  ComponentNode,
  Data,
  ElementNode,
  HeadingNode,
  IslandNode,
  MathNode,
  PageFormula,
  PageHeading,
  PageLink,
  PageNode,
  Props,
  Slots,
} from './tree/page-tree.ts'
export { plainText } from './tree/plain-text.ts'
export { printMarkdown } from './tree/print-markdown.ts'
