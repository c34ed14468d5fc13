/**
 * Renders schemas as fields that open level by level. The first levels are part of the page; deeper
 * levels and recursive schemas are written once per specification and loaded when a reader opens
 * them. A page's size therefore depends on what it shows first, not on everything it references.
 */
import type { PageNode, Props } from '@octavo/content'
import { slug } from '@octavo/model'
import {
  type DiscriminatorData,
  type MergedSchema,
  mergeSchema,
  pillsOf,
  type SchemaData,
} from '@octavo/openapi'
import { fillWords } from '../words/fill-words.ts'
import { type ApiContext, component, element, printValue } from './api-context.ts'
import { factNodes, lastStep, nameOf, typeOf } from './schema-facts.ts'

type Direction = 'request' | 'response' | 'both'

/** How many levels of referenced schemas are part of the page. */
const LEVELS_MAX = 2
/** If a page has this many fields, even the second level is loaded on demand. */
const FIELDS_MAX = 150
/** Up to this many alternatives are shown as tabs; a longer choice is shown as a list. */
const TABS_MAX = 5

export type Field = {
  readonly name: string
  readonly required?: boolean | undefined
  readonly deprecated?: boolean | undefined
  readonly description?: string | undefined
}

export type SchemaPlace = {
  readonly direction: Direction
  /** Names of the referenced schemas around this place, outermost first. */
  readonly above: readonly string[]
  /** Prefix of the fields' anchors: `body`, `response-200`. */
  readonly anchor: string
}

export class SchemaPrinter {
  readonly #context: ApiContext
  /** The first option of the choice that the sample follows. */
  readonly #followed: SchemaData | undefined
  #fields = 0

  constructor(context: ApiContext, followed?: SchemaData) {
    this.#context = context
    this.#followed = followed
  }

  /** Renders the content of a value: its fields, alternatives and items. */
  inside(schema: SchemaData, place: SchemaPlace): readonly PageNode[] {
    const merged = this.merged(schema)
    const within = { ...place, above: [...place.above, ...merged.refs.slice(0, 1)] }
    const items = merged.items === undefined ? [] : this.#items(merged.items, within)
    return [
      ...this.#properties(merged, within),
      ...this.#patterns(merged, within),
      ...(merged.prefixItems ?? []).map((item, index) =>
        this.field({ name: String(index) }, item, within),
      ),
      ...items,
      ...merged.choices.flatMap((choice) => this.#choice(choice, merged.discriminator, within)),
      ...this.#others(merged, within),
    ]
  }

  field(field: Field, schema: SchemaData, place: SchemaPlace): PageNode {
    this.#fields += 1
    const merged = this.merged(schema)
    const { before, after } = pillsOf(merged)
    const anchor = `${place.anchor}-${anchorOf(field.name)}`
    const props: Props = {
      id: anchor,
      name: field.name,
      type: typeOf(merged, this.merged),
      ...(field.required ? { required: true } : {}),
      ...(field.deprecated || merged.deprecated ? { deprecated: true } : {}),
      ...(merged.default === undefined ? {} : { default: printValue(merged.default.value) }),
      ...(before.length === 0 ? {} : { pre: before }),
      ...(after.length === 0 ? {} : { post: after }),
    }
    return component('ResponseField', props, [
      ...this.text(field.description ?? merged.description),
      ...factNodes(merged, this.#context.words),
      ...this.#nested(schema, merged, { ...place, anchor }),
    ])
  }

  /** Shows the type of a body that is not an object. */
  type(schema: SchemaData): PageNode {
    const merged = this.merged(schema)
    return element('p', { class: 'oct-facts' }, [this.#type(merged)])
  }

  text(text: string | undefined): readonly PageNode[] {
    return text === undefined || text.trim() === '' ? [] : this.#context.markdown(text)
  }

  readonly merged = (schema: SchemaData): MergedSchema =>
    mergeSchema(schema, (ref) => {
      const part = this.#context.part(ref)
      return part?.kind === 'schema' ? part.schema : undefined
    })

  /** Renders the next level, inline or as a lazy-loaded part. */
  #nested(
    schema: SchemaData,
    merged: MergedSchema,
    place: SchemaPlace,
    title = this.#titleOf(merged),
  ): readonly PageNode[] {
    const [ref] = merged.refs.length > 0 ? merged.refs : this.#itemRefs(merged)
    if (!this.#hasContent(merged)) return []
    if (ref !== undefined && this.#isDeep(ref, place)) return [this.#lazyLevel(ref, merged, title)]
    // Alternatives are shown directly, since a collapsed level would hide what matters.
    if (
      merged.properties === undefined &&
      merged.choices.length > 0 &&
      merged.items === undefined
    ) {
      return this.inside(schema, place)
    }
    const open = this.#context.settings.expanded ? { defaultOpen: true } : {}
    return [component('Expandable', { title, ...open }, this.inside(schema, place))]
  }

  #isDeep(ref: string, { above }: SchemaPlace): boolean {
    return above.includes(ref) || above.length >= LEVELS_MAX || this.#fields >= FIELDS_MAX
  }

  /**
   * Renders a level that is loaded on demand. A script fills it, so it is hidden without scripts.
   */
  #lazyLevel(ref: string, merged: MergedSchema, title: string): PageNode {
    const { folder, count } = this.#context.fragments
    // For a list whose items have a named schema, that schema is loaded.
    const name = merged.refs.length > 0 ? ref : (this.#itemRefs(merged)[0] ?? ref)
    return element(
      'details',
      {
        class: 'oct-expandable oct-deeper',
        hidden: true,
        'data-oct': 'deeper',
        'data-ref': name,
        'data-folder': folder,
        'data-count': String(count),
        'data-failed': this.#context.words.apiFailed,
      },
      [element('summary', {}, [title])],
    )
  }

  #titleOf(merged: MergedSchema): string {
    const { words } = this.#context
    const name = nameOf(merged.refs)
    if (merged.properties === undefined && merged.choices.length > 0) return words.apiAlternatives
    return name === undefined ? words.apiProperties : fillWords(words.apiPropertiesOf, { name })
  }

  #itemRefs(merged: MergedSchema): readonly string[] {
    return merged.items === undefined ? [] : this.merged(merged.items).refs
  }

  #hasContent(merged: MergedSchema): boolean {
    if (merged.properties !== undefined || merged.choices.length > 0) return true
    if (typeof merged.additional === 'object' || merged.prefixItems !== undefined) return true
    if (merged.patternProperties !== undefined) return true
    return merged.items !== undefined && this.#hasContent(this.merged(merged.items))
  }

  #properties(merged: MergedSchema, place: SchemaPlace): readonly PageNode[] {
    const hidden = place.direction === 'request' ? 'readOnly' : 'writeOnly'
    return (merged.properties ?? []).flatMap(({ name, required, schema }) => {
      if (place.direction !== 'both' && this.merged(schema)[hidden]) return []
      return [this.field({ name, required }, schema, place)]
    })
  }

  #patterns(merged: MergedSchema, place: SchemaPlace): readonly PageNode[] {
    const { additional, patternProperties = [] } = merged
    return [
      ...patternProperties.map(([pattern, schema]) =>
        this.field({ name: `/${pattern}/` }, schema, place),
      ),
      ...(typeof additional === 'object'
        ? [this.field({ name: '{key}', description: undefined }, additional, place)]
        : []),
    ]
  }

  #items(items: SchemaData, place: SchemaPlace): readonly PageNode[] {
    const merged = this.merged(items)
    const [ref] = merged.refs
    if (ref === undefined || !this.#isDeep(ref, place)) return this.inside(items, place)
    return this.#hasContent(merged) ? [this.#lazyLevel(ref, merged, this.#titleOf(merged))] : []
  }

  /** Shows alternatives as tabs if there are few. */
  #choice(
    { kind, of }: MergedSchema['choices'][number],
    discriminator: DiscriminatorData | undefined,
    place: SchemaPlace,
  ): readonly PageNode[] {
    const titles = this.optionTitles(of, discriminator)
    const { words } = this.#context
    const { property: name } = discriminator ?? {}
    const by = name === undefined ? '' : `, ${fillWords(words.apiToldApart, { name })}`
    const which = kind === 'one' ? words.apiOneOf : words.apiAnyOf
    const label = element('p', { class: 'oct-choice' }, [`${which}${by}`])
    if (of.length > TABS_MAX) {
      return [label, ...of.map((option, index) => this.#option(option, titles[index] ?? '', place))]
    }
    const tabs = of.map((option, index) => {
      const merged = this.merged(option)
      const [ref] = merged.refs
      const isDeep = ref !== undefined && this.#isDeep(ref, place) && this.#hasContent(merged)
      const inside = isDeep
        ? [this.#lazyLevel(ref, merged, this.#titleOf(merged))]
        : this.inside(option, { ...place, anchor: `${place.anchor}-${slug(titles[index] ?? '')}` })
      return component('Tab', { title: titles[index] ?? '' }, [
        ...this.text(merged.description),
        ...(inside.length === 0 ? [this.#type(merged)] : inside),
        ...(merged.properties === undefined ? factNodes(merged, this.#context.words) : []),
      ])
    })
    const isFollowed = place.direction === 'request' && of[0] === this.#followed
    return [label, component('Tabs', isFollowed ? {} : { sync: false }, tabs)]
  }

  optionTitles(
    options: readonly SchemaData[],
    discriminator: DiscriminatorData | undefined,
  ): readonly string[] {
    return options.map((option, index) => this.#optionTitle(option, index, discriminator))
  }

  #option(option: SchemaData, title: string, place: SchemaPlace): PageNode {
    const merged = this.merged(option)
    const [nested] = this.#nested(option, merged, place, title)
    return nested ?? element('p', { class: 'oct-option' }, [title, ' ', this.#type(merged)])
  }

  #type(merged: MergedSchema): PageNode {
    return element('span', { class: 'oct-field-type' }, [typeOf(merged, this.merged)])
  }

  #optionTitle(
    option: SchemaData,
    index: number,
    discriminator: DiscriminatorData | undefined,
  ): string {
    const mapped = discriminator?.mapping?.find(([, ref]) => ref === option.ref)?.[0]
    if (mapped !== undefined) return mapped
    const merged = this.merged(option)
    if (merged.title !== undefined) return merged.title
    if (option.ref !== undefined) return lastStep(option.ref)
    const type = typeOf(merged, this.merged)
    const isNamed = type !== 'any' && type !== 'object'
    return isNamed ? type : fillWords(this.#context.words.apiOption, { number: index + 1 })
  }

  #others(merged: MergedSchema, place: SchemaPlace): readonly PageNode[] {
    const others = merged.not === undefined ? [] : ([['not', merged.not]] as const)
    return [...others, ...(merged.others ?? [])].flatMap(([keyword, schema]) =>
      // Definitions within the schema are shown where they are used.
      keyword.startsWith('$defs') ? [] : [this.field({ name: keyword }, schema, place)],
    )
  }
}

/** Converts `maxItems` to `max-items`, as in the links of migrated sites (decision 0011). */
function anchorOf(name: string): string {
  return slug(name.replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, '$1-$2'))
}
