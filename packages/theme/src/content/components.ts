/** Every component that a page may use, and who writes it. */
import type { ComponentNode } from '@octavo/content'
import { writeAccordion, writeAccordionGroup, writeExpandable } from './accordions.ts'
import { writeBanner, writeCallout } from './callouts.ts'
import { writeCard, writeColumn, writeColumns, writeTile } from './cards.ts'
import { writeCodeBlock, writeCodeGroup, writeExample } from './code-groups.ts'
import type { ContentWriter } from './content-writer.ts'
import { writeField } from './fields.ts'
import { writeBadge, writeIcon, writeLatex, writeLink, writeTooltip } from './inline-parts.ts'
import { writeFrame, writeImageComponent, writeMermaidComponent } from './media.ts'
import {
  writeColorItem,
  writeColorRow,
  writeColors,
  writeHeading,
  writeRepository,
} from './parts.ts'
import { writePanel, writePrompt, writeUpdate, writeView, writeVisibility } from './sections.ts'
import { writeStep, writeSteps } from './steps.ts'
import { writeTab, writeTabs } from './tabs.ts'
import { writeFile, writeFolder, writeTree } from './trees.ts'

export type WriteComponent = (writer: ContentWriter, node: ComponentNode) => void

/** Nothing of its own: what stands inside is shown. */
const writeChildren: WriteComponent = (writer, node) => writer.nodes(node.children)

export const COMPONENT_WRITERS: ReadonlyMap<string, WriteComponent> = new Map([
  ['Accordion', writeAccordion],
  ['AccordionGroup', writeAccordionGroup],
  ['Badge', writeBadge],
  ['Banner', writeBanner],
  ['Note', writeCallout],
  ['Warning', writeCallout],
  ['Info', writeCallout],
  ['Tip', writeCallout],
  ['Check', writeCallout],
  ['Danger', writeCallout],
  ['Callout', writeCallout],
  ['Card', writeCard],
  ['CardGroup', writeColumns],
  ['Column', writeColumn],
  ['Columns', writeColumns],
  ['CodeBlock', writeCodeBlock],
  ['CodeGroup', writeCodeGroup],
  ['SnippetGroup', writeCodeGroup],
  ['Color', writeColors],
  ['Color.Row', writeColorRow],
  ['Color.Item', writeColorItem],
  ['Expandable', writeExpandable],
  ['Frame', writeFrame],
  ['GitHub.Repo', writeRepository],
  ['Heading', writeHeading],
  ['Icon', writeIcon],
  ['Image', writeImageComponent],
  ['Latex', writeLatex],
  ['Link', writeLink],
  ['MDX', writeChildren],
  ['Mermaid', writeMermaidComponent],
  ['Panel', writePanel],
  ['Param', writeField],
  ['ParamField', writeField],
  ['Parameter', writeField],
  ['Prompt', writePrompt],
  ['RequestExample', writeExample],
  ['ResponseExample', writeExample],
  ['ResponseField', writeField],
  ['Snippet', writeChildren],
  ['Steps', writeSteps],
  ['Step', writeStep],
  ['Tabs', writeTabs],
  ['Tab', writeTab],
  ['Tabs.Tab', writeTab],
  ['Tile', writeTile],
  ['Tooltip', writeTooltip],
  ['Tree', writeTree],
  ['Tree.Folder', writeFolder],
  ['Tree.File', writeFile],
  ['FileTree', writeTree],
  ['FileTree.Folder', writeFolder],
  ['FileTree.File', writeFile],
  ['Update', writeUpdate],
  ['Variation', writeChildren],
  ['View', writeView],
  ['Visibility', writeVisibility],
])
