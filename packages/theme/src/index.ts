export { type AnswerPlace, renderAnswer } from './answers/render-answer.ts'
export type { ApiContext, ApiSettings, FragmentPlace, PlaygroundMode } from './api/api-context.ts'
export { playgroundMode } from './api/endpoint-node.ts'
export { fragmentBucket } from './api/fragment-bucket.ts'
export { endpointNodes, fragmentNodes, operationNodes, schemaNodes } from './api/operation-nodes.ts'
export { type PlaygroundWords, playgroundWords } from './api/playground-words.ts'
export { searchedNodes } from './api/searched-nodes.ts'
export { bareId, withoutAlternatives } from './bare-id.ts'
export type { ContentContext } from './content/content-writer.ts'
export { artPaths, type HeroArt } from './content/hero-art.ts'
export { type PageCode, type PageFeature, type PageLoad, PageNotes } from './content/page-notes.ts'
export { codeBlocks, codeLanguages, hasDiagrams, renderContent } from './content/render-content.ts'
export type { LabeledHtml } from './frame/access-marks.ts'
export { authorGroundStyles } from './frame/author-grounds.ts'
export { hooksIn } from './frame/author-hooks.ts'
export { BasePath, ROOT_PATH } from './frame/base-path.ts'
export { createFrame, type Frame } from './frame/create-frame.ts'
export type { FrameInput, LabeledUrl, PageView } from './frame/frame-input.ts'
export {
  HEAD_SCRIPT,
  HEAD_SCRIPT_HASH,
  PAUSE_SCRIPT,
  PAUSE_SCRIPT_HASH,
} from './frame/head-script.ts'
export { hasImageTag } from './frame/meta-tags.ts'
export { scriptHashes } from './frame/script-hashes.ts'
export { SECTION_SCRIPT, SECTION_SCRIPT_HASH } from './frame/section-script.ts'
export { TREE_SCRIPT, TREE_SCRIPT_HASH } from './frame/sidebar-tree.ts'
export { absoluteUrl, canonicalBase, publicBase } from './frame/site-addresses.ts'
export { DEFAULT_TYPEFACE, isFontFamily } from './frame/site-styles.ts'
export { notFoundPage, renderNotFound, renderRedirect } from './frame/small-pages.ts'
export {
  createHighlighter,
  HIGHLIGHT_LIMITS,
  type Highlight,
  type Highlighter,
} from './highlight/create-highlighter.ts'
export type { Translations } from './highlight/translate-grammar.ts'
export { frameIcons } from './icons/frame-icons.ts'
export { createIconLibrary, type IconLibrary } from './icons/icon-library.ts'
export { ICON_SETS, type IconSet, type IconSetName } from './icons/icon-set.ts'
export { createIconSprite, type IconSprite } from './icons/icon-sprite.ts'
export { PAID_ICONS } from './icons/paid-icons.ts'
export type { IconHint } from './icons/parse-icon-name.ts'
export type { SpriteFile } from './icons/render-icon.ts'
export { LANGUAGES, loadLanguages } from './languages/load-languages.ts'
export { changedColors } from './looks/changed-colors.ts'
export { defaultPalette, type Palette, sitePalette } from './looks/site-palette.ts'
export {
  baseStyleFiles,
  partStyleFiles,
  STYLE_PARTS,
  STYLES_FOLDER,
  type StylePart,
} from './looks/style-parts.ts'
export { type LookName, lookOf } from './looks/theme-looks.ts'
export { Html, type HtmlPart, html } from './markup/html.ts'
export { loadMath, MATH_LIMITS, type RenderMath } from './math/load-math.ts'
export { isUtility, utilityStyles } from './utilities/utility-styles.ts'
export { type AssistantWords, assistantWords } from './words/assistant-words.ts'
export { type FeedbackWords, feedbackWords } from './words/feedback-text.ts'
export {
  ENGLISH,
  type InterfaceText,
  type InterfaceTexts,
  interfaceText,
} from './words/interface-text.ts'
export { type ReaderWords, readerWords } from './words/reader-words.ts'
export { type SampleWords, sampleWords } from './words/sample-words.ts'
export { searchWords } from './words/search-words.ts'
