-- Ways to sign in: accounts at identity providers, codes by e-mail, passkeys, and the command line.

-- An account at an identity provider. Its subject never changes; an address can be given to somebody else.
create table user_identity (
  user_id      bigint not null references app_user on delete cascade,
  id           bigint not null default random_id(),
  issuer       text not null check (length(issuer) between 1 and 2000),
  subject      text not null check (length(subject) between 1 and 255),
  created_at   timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  primary key (user_id, id),
  unique (issuer, subject)
);

-- The issuer whose groups gave the role, and may take it away again; nothing for a role that a person gave.
alter table membership add column granted_by text;

-- What works once and is not kept anywhere until it is used: states of sign-ins, challenges.
create table spent_token (
  token_hash bytea primary key,
  expires_at timestamptz not null
);

-- How often somebody tried, by the hash of an address or of an e-mail address.
create table sign_in_count (
  key_hash bytea primary key,
  began_at timestamptz not null,
  used     integer not null
);
create index sign_in_count_began on sign_in_count (began_at);

-- A code in a mail, for the browser that asked, and a link in the same mail. Using one uses up both.
create table sign_in_code (
  browser_hash bytea primary key,
  code_hash    bytea not null,
  link_hash    bytea not null unique,
  email        text not null check (email = lower(email) and length(email) between 3 and 254),
  next_path    text not null check (length(next_path) <= 2000),
  tries_left   integer not null,
  expires_at   timestamptz not null
);
create index sign_in_code_email on sign_in_code (email);

create table passkey (
  user_id       bigint not null references app_user on delete cascade,
  id            bigint not null default random_id(),
  credential_id bytea not null unique check (length(credential_id) between 1 and 1023),
  public_key    bytea not null check (length(public_key) <= 4000),
  -- How often the authenticator says it was used; many always say 0.
  counter       bigint not null,
  transports    text[] not null default '{}',
  name          text not null check (length(name) between 1 and 100),
  is_synced     boolean not null,
  created_at    timestamptz not null default now(),
  last_used_at  timestamptz,
  primary key (user_id, id)
);

-- Using one deletes it.
create table recovery_code (
  user_id    bigint not null references app_user on delete cascade,
  id         bigint not null default random_id(),
  code_hash  bytea not null,
  created_at timestamptz not null default now(),
  primary key (user_id, id),
  unique (user_id, code_hash)
);

-- A command line that waits for somebody to say yes in a browser.
create table device_request (
  device_hash    bytea primary key,
  code_hash      bytea not null unique,
  device         text not null check (length(device) <= 200),
  address_prefix text,
  -- Who said yes, or no.
  user_id        bigint references app_user on delete cascade,
  is_denied      boolean not null default false,
  polled_at      timestamptz,
  expires_at     timestamptz not null
);

alter table user_identity enable row level security;
create policy one_user on user_identity to octavo_app
  using (user_id = nullif(current_setting('octavo.user_id', true), '')::bigint);
alter table passkey enable row level security;
create policy one_user on passkey to octavo_app
  using (user_id = nullif(current_setting('octavo.user_id', true), '')::bigint);
alter table recovery_code enable row level security;
create policy one_user on recovery_code to octavo_app
  using (user_id = nullif(current_setting('octavo.user_id', true), '')::bigint);
-- Nobody reads these but the functions that use them.
alter table spent_token enable row level security;
create policy nobody on spent_token to octavo_app using (false);
alter table sign_in_count enable row level security;
create policy nobody on sign_in_count to octavo_app using (false);
alter table sign_in_code enable row level security;
create policy nobody on sign_in_code to octavo_app using (false);
alter table device_request enable row level security;
create policy nobody on device_request to octavo_app using (false);

grant select on user_identity to octavo_app;
grant select, insert, delete on passkey, recovery_code to octavo_app;
grant update (counter, last_used_at, name) on passkey to octavo_app;
grant select on spent_token, sign_in_count, sign_in_code, device_request to octavo_app;
