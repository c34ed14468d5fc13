export { COMPONENTS } from './components.ts'
export { CONTENT_LIMITS } from './content-limits.ts'
export { islandNames, moduleCode } from './module-code.ts'
export { type LoadedFile, ModuleLoader, type ReadText } from './module-loader.ts'
export { ADDRESS_DISTANCE_MAX } from './page-state.ts'
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
} from './page-tree.ts'
export { createPageParser, type Page, type PageParser } from './parse-page.ts'
export { plainText } from './plain-text.ts'
export { printMarkdown } from './print-markdown.ts'
