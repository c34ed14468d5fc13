/** The few kinds of tokens that have different colors, with the grammar scopes of each. */
import type { ThemeRegistrationRaw } from '@shikijs/primitive'

type TokenKind = { readonly name: string; readonly scopes: string }

/**
 * The class of a kind is `t-` and its name. The order of the kinds does not matter: the longest
 * scope wins.
 */
const TOKEN_KINDS: readonly TokenKind[] = [
  { name: 'comment', scopes: 'comment, punctuation.definition.comment, string.quoted.docstring' },
  {
    name: 'keyword',
    scopes:
      'keyword, storage, storage.type, storage.modifier, variable.language, support.type.primitive, constant.language, keyword.operator.new, keyword.operator.expression, keyword.operator.logical.python, punctuation.definition.keyword',
  },
  {
    name: 'string',
    scopes:
      'string, punctuation.definition.string, markup.inline.raw, markup.fenced_code, constant.other.symbol, string.regexp, meta.attribute-selector string',
  },
  {
    name: 'number',
    scopes:
      'constant.numeric, keyword.other.unit, constant.character, constant.other.color, support.constant, constant.other.option, variable.other.constant',
  },
  {
    name: 'function',
    scopes:
      'entity.name.function, support.function, meta.function-call.generic, variable.function, entity.name.command, meta.decorator entity.name.function, markup.heading, entity.name.section',
  },
  {
    name: 'type',
    scopes:
      'entity.name.type, entity.name.class, entity.other.inherited-class, support.class, support.type, entity.name.namespace, storage.type.java, storage.type.cs',
  },
  {
    name: 'name',
    scopes:
      'entity.name.tag, support.type.property-name, punctuation.support.type.property-name, meta.object-literal.key, entity.name.tag.yaml, variable.other.normal.shell, variable.other.env, punctuation.definition.variable.shell, keyword.key.toml, support.type.property-name.css',
  },
  { name: 'attribute', scopes: 'entity.other.attribute-name, variable.parameter' },
  { name: 'link', scopes: 'markup.underline.link, string.other.link' },
  { name: 'inserted', scopes: 'markup.inserted, punctuation.definition.inserted' },
  { name: 'deleted', scopes: 'markup.deleted, punctuation.definition.deleted' },
  { name: 'strong', scopes: 'markup.bold' },
  { name: 'emphasis', scopes: 'markup.italic' },
  {
    name: '',
    scopes:
      'punctuation, keyword.operator, meta.template.expression, string meta.embedded, punctuation.section.embedded, punctuation.separator, string.unquoted.plain.out.yaml source, meta.brace, variable, variable.other.readwrite, string.unquoted.argument.shell, string.unquoted.argument.shell string',
  },
]

const COLOR_PREFIX = '#0000'

/** A theme in which each color represents a kind of token. */
export const KIND_THEME: ThemeRegistrationRaw = {
  name: 'kinds',
  type: 'light',
  fg: '#ffffff',
  bg: '#000000',
  settings: [
    { settings: { foreground: '#ffffff', background: '#000000' } },
    ...TOKEN_KINDS.map(({ scopes }, index) => ({
      scope: scopes.split(', '),
      settings: { foreground: colorOf(index) },
    })),
  ],
}

function colorOf(index: number): string {
  return `${COLOR_PREFIX}${index.toString(16).padStart(2, '0')}`
}

/** Returns the class for each color of a color map; empty for plain text. */
export function classesOf(colors: readonly string[]): readonly string[] {
  const byColor = new Map(
    TOKEN_KINDS.map(({ name }, index) => [colorOf(index), name === '' ? '' : `t-${name}`]),
  )
  return colors.map((color) => byColor.get(color?.toLowerCase()) ?? '')
}
