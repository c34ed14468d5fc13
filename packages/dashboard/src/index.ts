export { dashboardStyles } from './dashboard-styles.ts'
export { renderKeepAccess, renderRecoveryCodes } from './keep-access-pages.ts'
export { openScreen, SCREENS } from './open-screen.ts'
export { SECURITY_HEADERS } from './parts/document.ts'
export {
  JWT_SCRIPT,
  READER_STYLE,
  type ReaderBrand,
  type ReaderForm,
  renderJwtArrival,
  renderPasswordForm,
  renderReaderMessage,
  renderSignedOut,
  renderSignOutForm,
  SIGN_OUT_SCRIPT,
} from './reader-pages.ts'
export { renderRecovery } from './recovery-pages.ts'
export { gitHubScreen } from './screens/connection/routes.ts'
export {
  type ConfirmPage,
  type DevicePage,
  type GateOptions,
  type MessagePage,
  renderConfirm,
  renderDevice,
  renderMessage,
  renderSetup,
  renderSignIn,
  renderSignInCode,
  type Setup,
  type SetupField,
  type SignIn,
  type SignInCode,
} from './sign-in-pages.ts'
export type { ScreenRoute } from './visit/route.ts'
export {
  type DashboardOptions,
  readTheme,
  type ThemeChoice,
} from './visit/screen.ts'
export type { Api, GitHubChoice, PageAssets, Person, Visit } from './visit/visit.ts'
