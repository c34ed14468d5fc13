-- An account that a link made has no way to sign in again: neither a passkey, nor recovery codes, nor an account at an
-- identity provider. It gets one before anything else is shown.
alter table app_user add column made_by_link boolean not null default false;

-- When the person said that the codes are saved, or used one of them. Codes work before that, too.
alter table recovery_code add column saved_at timestamptz;

grant update (saved_at) on recovery_code to octavo_app, octavo_definer;
