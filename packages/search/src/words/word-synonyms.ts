/**
 * Words that mean the same in documentation. Each line is a group; each of its words also finds the
 * others, with a lower score. Only used for questions: a reader who types a word into the search
 * field wants that word.
 */
const WRITTEN_SYNONYMS: Readonly<Record<string, string>> = {
  en: `
    delete remove erase drop discard clear
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
    typo misspelling mistake`,
}

/** The synonym groups for a code of the requirements' list; empty for most languages. */
export function synonymGroups(language: string | undefined): readonly (readonly string[])[] {
  const known = language !== undefined && Object.hasOwn(WRITTEN_SYNONYMS, language)
  const text = known ? (WRITTEN_SYNONYMS[language] ?? '') : ''
  const lines = text.split('\n').map((line) => line.trim())
  return lines.filter((line) => line !== '').map((line) => line.split(/\s+/))
}
