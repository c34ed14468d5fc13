import type { LanguageWords } from './language-words.ts'

/**
 * Words with the same meaning in documentation. Each line is a group; each word of a group also
 * finds the others, with a lower score. Synonyms are only used for questions, because a reader who
 * types a word into the search field wants that exact word.
 */
const WRITTEN_SYNONYMS: Readonly<Record<string, string>> = {
  en: `
    delete remove erase drop discard clear destroy
    create add make generate
    change edit update modify alter
    show display view
    hide conceal
    picture image photo
    customer buyer client purchaser
    user person people member visitor somebody someone
    price cost fee amount
    money payment pay currency
    bill invoice
    refund reimburse
    stop cancel end terminate kill abort
    disable deactivate
    enable activate
    begin start launch
    run execute
    program executable binary application app
    fake mock stub
    result hit match
    secret key credential token password
    error failure problem issue exception crash
    limit maximum max restrict cap quota
    fast quick speed performance
    slow latency performance
    collection index
    record document entry row
    folder directory
    colour color
    language locale translation multilingual
    copy duplicate clone
    move migrate transfer
    upload import load
    download export
    library package dependency module
    address url link
    mail email
    statistic analytic metric usage
    company organization business
    sale sell purchase buy
    discount coupon promo
    website site page
    server host backend
    retry again repeat
    schedule cron
    job task queue worker
    message event notification
    log history audit
    permission access role
    login authenticate authentication auth signin
    version release revision
    deploy publish ship
    setting option configuration configure preference
    variable env environment
    container docker
    database sql
    memory ram heap
    parallel concurrent concurrency simultaneous
    compile build bundle
    compress minify
    reload watch hot
    allow permit grant
    forbid block deny prevent
    choose select pick
    join merge combine
    find search lookup query
    near closest distance geo
    suggest recommend autocomplete
    timeout longer expire
    rule restriction
    own custom
    fresh new rotate regenerate reset
    leaked stolen compromise
    trial free
    consumption usage
    withdraw payout
    webhook callback notify
    header headline title heading
    body content text
    typo misspelling mistake
    thread worker
    process subprocess child spawn command
    keep retain persist preserve save store
    monorepo workspace
    vulnerability security advisory malicious
    encrypt hash
    certificate tls ssl https
    abroad international foreign country
    smallest minimum lowest min
    largest biggest highest maximum
    tax vat gst
    plan tier pricing
    recurring renew renewal
    dispute chargeback complaint
    respond reply answer
    increase raise grow
    decrease reduce lower
    automatic automatically auto
    filter narrow restrict
    order sort rank
    highlight bold mark
    distance radius kilometer mile
    backup snapshot dump
    restore recover
    debug inspect breakpoint
    interval period frequency
    install setup
    browser client frontend
    request call fetch
    embed iframe widget
    team member colleague seat
    support compatible`,
}

/** Returns the synonym groups of a language, of which most have none, and those of the site. */
export function synonymGroups({
  code = '',
  synonyms = [],
}: LanguageWords): readonly (readonly string[])[] {
  const text = Object.hasOwn(WRITTEN_SYNONYMS, code) ? (WRITTEN_SYNONYMS[code] ?? '') : ''
  const lines = text.split('\n').map((line) => line.trim())
  return [...lines.filter((line) => line !== '').map((line) => line.split(/\s+/)), ...synonyms]
}
