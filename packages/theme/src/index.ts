export { type ApiContext, operationNodes, schemaNodes } from './api/operation-nodes.ts'
export type { ContentContext } from './content/content-writer.ts'
export { PageNotes } from './content/page-notes.ts'
export { codeLanguages, renderContent } from './content/render-content.ts'
export { createFrame, type Frame } from './frame/create-frame.ts'
export type { FrameInput, PageView } from './frame/frame-input.ts'
export { renderNotFound, renderRedirect } from './frame/small-pages.ts'
export {
  createHighlighter,
  HIGHLIGHT_LIMITS,
  type Highlight,
  type Highlighter,
} from './highlight/create-highlighter.ts'
export { Html, type HtmlPart, html } from './html.ts'
export { type InterfaceText, interfaceText } from './interface-text.ts'
export { lookOf } from './looks/theme-looks.ts'
export { minifyCss } from './minify-css.ts'
export { baseStyleFiles, PART_FILES, STYLE_PARTS, STYLES_FOLDER, type StylePart } from './styles.ts'
