/** Generates hostile requests for property tests, with special syntax of all languages. */
import fc from 'fast-check'
import type {
  SampleBody,
  SamplePart,
  SampleRequest,
} from '../../src/code-samples/sample-request.ts'
import type { Json } from '../../src/document/spec-document.ts'

/**
 * Strings that could end a literal or a comment, or start an expression, a file name or an option.
 */
const PRINTABLE = [
  ...'pwned \' " ` \\ $ # % @ ; , = & - < > | ! ? * ~ ^ + : / ( ) { } [ ] é 😀 0 1 name'.split(' '),
  ...'\\u000a \\u0022 \\x27 \\0 \\N \\(pwned) $\u007bpwned} $pwned $(pwned) `pwned`'.split(' '),
  ...'#{pwned} #$pwned #@pwned {$pwned} {{pwned}} %s%n %{pwned} \\#(pwned) |pwned'.split(' '),
  ...'\'\'\' """ """" "# "## """# )" )body" */ /* // ?> <?php </script> --> ??/ ???/ ??\''.split(
    ' ',
  ),
  ..."\u2018 \u2019 \u201a \u201b \u201c \u201d \u2019' \"+pwned()+\" '+pwned()+'".split(' '),
  ...'");pwned();(" \');pwned();(\' \';pwned;\' ";pwned;" \\";pwned;// \\\';pwned;//'.split(' '),
  ...'__proto__ constructor =@/etc/passwd ../ C: #define EOF \'@ "@ =begin __END__'.split(' '),
  ' ',
  '  ',
  '\t',
  '\u00a0',
  '\u2003',
]

const UNPRINTABLE = [
  ...'\0 \v \u001b[201~ \u007f \u0085 \u200d \u202e \u2066 \ufeff \ufffe \u{e0001}'.split(' '),
  '\n',
  '\r',
  '\r\n',
  '\\\n',
  '\n#define pwned',
  '\nEOF\n',
  '\u2028',
  '\u2029',
  '\ud800',
  '\udc00',
]

const text = joined(
  fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...PRINTABLE) },
    { weight: 3, arbitrary: fc.constantFrom(...UNPRINTABLE) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 4 }) },
  ),
)

/** Generates text on several lines, for which languages have special literals. */
const block = fc
  .array(joined(fc.constantFrom(...PRINTABLE)), { minLength: 2, maxLength: 4 })
  .map((lines) => lines.join('\n'))

function joined(fragment: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.array(fragment, { maxLength: 6 }).map((fragments) => fragments.join(''))
}

const pairs = fc.array(fc.tuple(text, text), { maxLength: 3 })

const json = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.oneof(fc.constant(null), fc.boolean(), fc.double(), fc.integer(), fc.maxSafeInteger()),
    fc.constantFrom(-0, 2 ** 53, 2 ** 63, -(2 ** 63), 1e20, 1e21, -1e21, 5e-324, 1.7e308),
    fc.array(tie('value'), { maxLength: 3 }),
    fc
      .array(fc.tuple(text, tie('value')), { maxLength: 3 })
      .map((entries) => Object.fromEntries(entries)),
  ),
})).value

const part: fc.Arbitrary<SamplePart> = fc.oneof(
  fc.record({ name: text, value: text }),
  fc.record({ name: text, fileName: text }),
)

const body: fc.Arbitrary<SampleBody> = fc.oneof(
  fc.record({ kind: fc.constant('json'), mediaType: text, value: json }),
  fc.record({ kind: fc.constant('form'), fields: pairs }),
  fc.record({ kind: fc.constant('multipart'), parts: fc.array(part, { maxLength: 3 }) }),
  fc.record({ kind: fc.constant('text'), mediaType: text, text }),
  fc.record({ kind: fc.constant('text'), mediaType: text, text: block }),
  fc.record({ kind: fc.constant('file'), mediaType: text, fileName: text }),
)

export const hostileRequest: fc.Arbitrary<SampleRequest> = fc.record(
  {
    method: fc.oneof(text, fc.constantFrom('GET', 'POST', 'HEAD', 'PURGE')),
    url: fc.oneof(
      text,
      text.map((path) => `https://api.example.com/${path}`),
    ),
    headers: pairs,
    cookies: pairs,
    body,
  },
  { requiredKeys: ['method', 'url', 'headers', 'cookies'] },
)
