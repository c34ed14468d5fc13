export { type MigratedSite, migrateSite, typedFiles } from './migrate-site.ts'
export type { ReportData } from './site/report.ts'
export { printReport, REPORT_FILE } from './write/print-report.ts'
export {
  isMigrationFolder,
  RECORD_FOLDER,
  type WrittenChanges,
  writeMigration,
  writeRecord,
} from './write/write-folder.ts'
