/** Words that the theme itself says. A language without its own falls back to English. */
export type InterfaceText = {
  readonly skip: string
  readonly menu: string
  readonly search: string
  readonly sections: string
  readonly pages: string
  readonly onThisPage: string
  readonly breadcrumbs: string
  readonly previous: string
  readonly next: string
  readonly lastModified: string
  readonly deprecated: string
  readonly required: string
  readonly defaultValue: string
  readonly showMore: string
  readonly showLess: string
  readonly copy: string
  readonly download: string
  readonly openInCursor: string
  readonly example: string
  readonly nullable: string
  readonly filterByTag: string
  readonly views: string
  readonly links: string
  readonly language: string
  readonly version: string
  readonly request: string
  readonly response: string
  readonly notFound: string
  readonly notFoundHint: string
  readonly home: string
  readonly codeLanguage: string
  readonly copied: string
  readonly enlarge: string
  readonly close: string
  readonly announcement: string
  readonly dismiss: string
  readonly theme: string
  readonly note: string
  readonly warning: string
  readonly info: string
  readonly tip: string
  readonly check: string
  readonly danger: string
}

export const ENGLISH: InterfaceText = {
  skip: 'Skip to content',
  menu: 'Menu',
  search: 'Search',
  sections: 'Sections',
  pages: 'Pages',
  onThisPage: 'On this page',
  breadcrumbs: 'Breadcrumbs',
  previous: 'Previous',
  next: 'Next',
  lastModified: 'Last modified on',
  deprecated: 'Deprecated',
  required: 'required',
  defaultValue: 'Default',
  showMore: 'Show all',
  showLess: 'Show less',
  copy: 'Copy',
  download: 'Download',
  openInCursor: 'Open in Cursor',
  example: 'Example',
  nullable: 'nullable',
  filterByTag: 'Filter by tag',
  views: 'Views',
  links: 'Links',
  language: 'Language',
  version: 'Version',
  request: 'Request',
  response: 'Response',
  notFound: 'Page not found',
  notFoundHint: 'There is no page at this address. It may have moved.',
  home: 'Go to the start',
  codeLanguage: 'Code language',
  copied: 'Copied',
  enlarge: 'Enlarge image',
  close: 'Close',
  announcement: 'Announcement',
  dismiss: 'Dismiss',
  theme: 'Switch between light and dark',
  note: 'Note',
  warning: 'Warning',
  info: 'Info',
  tip: 'Tip',
  check: 'Done',
  danger: 'Danger',
}

/** By the codes of the requirements' list. */
const TRANSLATIONS: Readonly<Record<string, Partial<InterfaceText>>> = {
  ar: {
    skip: 'انتقل إلى المحتوى',
    menu: 'القائمة',
    search: 'بحث',
    onThisPage: 'في هذه الصفحة',
    previous: 'السابق',
    next: 'التالي',
    language: 'اللغة',
    version: 'الإصدار',
    notFound: 'الصفحة غير موجودة',
    codeLanguage: 'لغة الشيفرة',
    copied: 'تم النسخ',
    enlarge: 'تكبير الصورة',
    close: 'إغلاق',
    notFoundHint: 'لا توجد صفحة في هذا العنوان. ربما نُقلت.',
    home: 'إلى البداية',
    announcement: 'إعلان',
    dismiss: 'إغلاق',
    theme: 'التبديل بين الوضع الفاتح والداكن',
    sections: 'الأقسام',
    pages: 'الصفحات',
    links: 'روابط',
  },
  he: {
    skip: 'דילוג לתוכן',
    menu: 'תפריט',
    search: 'חיפוש',
    onThisPage: 'בעמוד זה',
    previous: 'הקודם',
    next: 'הבא',
    language: 'שפה',
    version: 'גרסה',
    notFound: 'העמוד לא נמצא',
    codeLanguage: 'שפת הקוד',
    copied: 'הועתק',
    enlarge: 'הגדלת התמונה',
    close: 'סגירה',
    notFoundHint: 'אין עמוד בכתובת זו. ייתכן שהוא הועבר.',
    home: 'לעמוד הראשי',
    announcement: 'הודעה',
    dismiss: 'סגירה',
    theme: 'מעבר בין מצב בהיר לכהה',
    sections: 'מדורים',
    pages: 'עמודים',
    links: 'קישורים',
  },
  de: {
    skip: 'Zum Inhalt springen',
    menu: 'Menü',
    search: 'Suche',
    onThisPage: 'Auf dieser Seite',
    previous: 'Zurück',
    next: 'Weiter',
    language: 'Sprache',
    version: 'Version',
    notFound: 'Seite nicht gefunden',
    codeLanguage: 'Programmiersprache',
    copied: 'Kopiert',
    enlarge: 'Bild vergrößern',
    close: 'Schließen',
    notFoundHint: 'Unter dieser Adresse gibt es keine Seite. Vielleicht ist sie umgezogen.',
    home: 'Zum Anfang',
    announcement: 'Ankündigung',
    dismiss: 'Schließen',
    theme: 'Zwischen hell und dunkel wechseln',
    sections: 'Bereiche',
    pages: 'Seiten',
    links: 'Links',
  },
  fr: {
    skip: 'Aller au contenu',
    menu: 'Menu',
    search: 'Rechercher',
    onThisPage: 'Sur cette page',
    previous: 'Précédent',
    next: 'Suivant',
    language: 'Langue',
    version: 'Version',
    notFound: 'Page introuvable',
    codeLanguage: 'Langage',
    copied: 'Copié',
    enlarge: 'Agrandir l’image',
    close: 'Fermer',
    notFoundHint: 'Il n’y a pas de page à cette adresse. Elle a peut-être été déplacée.',
    home: 'Aller au début',
    announcement: 'Annonce',
    dismiss: 'Fermer',
    theme: 'Basculer entre clair et sombre',
    sections: 'Sections',
    pages: 'Pages',
    links: 'Liens',
  },
  es: {
    skip: 'Ir al contenido',
    menu: 'Menú',
    search: 'Buscar',
    onThisPage: 'En esta página',
    previous: 'Anterior',
    next: 'Siguiente',
    language: 'Idioma',
    version: 'Versión',
    notFound: 'Página no encontrada',
    codeLanguage: 'Lenguaje',
    copied: 'Copiado',
    enlarge: 'Ampliar imagen',
    close: 'Cerrar',
    notFoundHint: 'No hay ninguna página en esta dirección. Puede que se haya movido.',
    home: 'Ir al inicio',
    announcement: 'Anuncio',
    dismiss: 'Cerrar',
    theme: 'Cambiar entre claro y oscuro',
    sections: 'Secciones',
    pages: 'Páginas',
    links: 'Enlaces',
  },
}

/** The words for a language of the list, such as `ar` or `pt-BR`. */
export function interfaceText(language: string): InterfaceText {
  const own = Object.hasOwn(TRANSLATIONS, language) ? TRANSLATIONS[language] : undefined
  return own === undefined ? ENGLISH : { ...ENGLISH, ...own }
}
