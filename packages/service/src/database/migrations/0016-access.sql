-- Who reads a site: the way in which readers sign in, their sessions, and tokens for programs.

-- `private` let nobody in; members of the organisation are the fewest who can be.
alter table project drop constraint project_protection_check;
update project set protection = 'members' where protection = 'private';
alter table project add constraint project_protection_check
  check (protection in ('public', 'password', 'members', 'oidc', 'jwt'));
grant update (protection) on project to octavo_app;

-- What the owner set for each way. A project without a row has a public site, or one for members.
create table site_access (
  project_id    bigint primary key references project (id) on delete cascade,
  -- Sessions of another epoch are over: it grows when the mode changes, and when the owner ends all sessions.
  epoch         integer not null default 0,
  -- `default`: for members if the repository is private, otherwise as the site.
  previews      text not null default 'default' check (previews in ('default', 'site', 'members')),
  session_hours integer not null default 168 check (session_hours between 1 and 720),
  -- scrypt, with its parameters and salt.
  password_hash text check (length(password_hash) <= 300),
  -- The issuer and what it knows us by; the client secret is encrypted, in `secret`.
  oidc          jsonb check (length(oidc::text) <= 10000),
  -- Where readers sign in, and the public keys of whoever signs.
  jwt           jsonb check (length(jwt::text) <= 50000)
);
alter table site_access enable row level security;
create policy one_project on site_access to octavo_app
  using (project_id = nullif(current_setting('octavo.project_id', true), '')::bigint);
grant select, insert, update on site_access to octavo_app;

-- A browser that is signed in to one host, or a token that the owner made for a program.
create table reader_session (
  project_id bigint not null references project (id) on delete cascade,
  token_hash bytea not null check (length(token_hash) = 32),
  way        text not null check (way in ('password', 'members', 'oidc', 'jwt', 'token')),
  -- Nothing for a token, which is for all hosts of the project.
  host       text collate "C" check (length(host) <= 260),
  epoch      integer not null,
  -- Of a member the role counts, as it is at the time of a request.
  groups     text[] not null default '{}' check (cardinality(groups) <= 100),
  user_id    bigint references app_user on delete cascade,
  -- What the owner knows a token by.
  id         text collate "C" check (length(id) <= 20),
  name       text check (length(name) between 1 and 100),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (project_id, token_hash),
  check ((way = 'token') = (host is null)),
  check ((way = 'token') = (id is not null and name is not null)),
  check ((way = 'members') = (user_id is not null))
);
create unique index reader_session_hash on reader_session (token_hash);
create index reader_session_expires on reader_session (expires_at);
create index reader_session_user on reader_session (user_id) where user_id is not null;
create unique index reader_session_tokens on reader_session (project_id, id) where way = 'token';
alter table reader_session enable row level security;
create policy one_project on reader_session to octavo_app
  using (project_id = nullif(current_setting('octavo.project_id', true), '')::bigint);
grant select, insert, delete on reader_session to octavo_app;

-- What the Git host says of the repository; nothing where it was not asked.
alter table connection add column is_private boolean;
