/** All components of a page, with the functions that write them. */
import type { ComponentNode } from '@octavo/content'
import { writeAccordion, writeAccordionGroup, writeExpandable } from './accordions.ts'
import { writeBadge } from './badge.ts'
import { writeBanner, writeCallout } from './callouts.ts'
import { writeCard, writeTile } from './cards.ts'
import { writeCodeBlock, writeCodeGroup, writeExample } from './code-groups.ts'
import { writeColorItem, writeColorRow, writeColors } from './colors.ts'
import { writeColumn, writeColumns } from './columns.ts'
import type { ContentWriter } from './content-writer.ts'
import { writeField } from './fields.ts'
import { writeHero, writeHeroAction } from './hero.ts'
import { writeLinkList, writePreview, writeStat } from './home-parts.ts'
import { writeIcon, writeLatex, writeLink } from './inline-parts.ts'
import { writeFrame, writeImageComponent } from './media.ts'
import { writeMermaidComponent } from './mermaid.ts'
import { writeHeading, writeRepository } from './parts.ts'
import { writePrompt } from './prompt.ts'
import { writeResponses } from './responses.ts'
import { writePanel, writeVisibility } from './sections.ts'
import { writeStep, writeSteps } from './steps.ts'
import { writeTab, writeTabs } from './tabs.ts'
import { writeTooltip } from './tooltip.ts'
import { writeFile, writeFolder, writeTree } from './trees.ts'
import { writeUpdate } from './updates.ts'
import { writeView } from './views.ts'

export type WriteComponent = (writer: ContentWriter, node: ComponentNode) => void

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
  ['Hero', writeHero],
  ['Hero.Action', writeHeroAction],
  ['Icon', writeIcon],
  ['Image', writeImageComponent],
  ['Latex', writeLatex],
  ['Link', writeLink],
  ['LinkList', writeLinkList],
  ['MDX', writeChildren],
  ['Mermaid', writeMermaidComponent],
  ['Panel', writePanel],
  ['Param', writeField],
  ['ParamField', writeField],
  ['Parameter', writeField],
  ['Preview', writePreview],
  ['Prompt', writePrompt],
  ['RequestExample', writeExample],
  ['ResponseExample', writeExample],
  ['ResponseField', writeField],
  ['Responses', writeResponses],
  ['Snippet', writeChildren],
  ['Stat', writeStat],
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
