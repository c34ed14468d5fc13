export { COMPONENTS } from './allowed/components.ts'
export {
  type Address,
  type Heading,
  type Mdx,
  markdownToMdx,
  type Rewrite,
} from './convert/markdown-to-mdx.ts'
export { type Replace, type ReplacedForeign, replaceForeign } from './convert/replace-foreign.ts'
export { type ForeignComponent, findForeignComponent } from './foreign/foreign-components.ts'
export type { ForeignSyntax } from './foreign/foreign-syntax.ts'
export {
  type DataProblem,
  type DataSource,
  type LoadData,
  readModuleData,
} from './interpreter/read-data.ts'
export { checkSource } from './markdown/check-source.ts'
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
  PageCode,
  PageFormula,
  PageHeading,
  PageLink,
  PageNode,
  Props,
  Slots,
} from './tree/page-tree.ts'
export { plainText } from './tree/plain-text.ts'
export { printMarkdown } from './tree/print-markdown.ts'
